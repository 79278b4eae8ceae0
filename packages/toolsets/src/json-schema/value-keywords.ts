import { equalJson, isObject, type Json, shortened } from '@ambit/core';
import * as z from 'zod';
import { type Check, type Keyword, requireCount, requireList, SchemaFault, wrong } from './check.js';
import { linearPattern } from './linear-pattern.js';

export const valueKeywords: Readonly<Record<string, Keyword>> = {
  type: (value) => {
    const names = Array.isArray(value) ? (value as readonly Json[]) : [value];
    const types = names.map((name) => {
      const isType = typeof name === 'string' && Object.hasOwn(typeTests, name);
      if (!isType)
        throw new SchemaFault(`\`type\` must be ${Object.keys(typeTests).join(', ')}, or a list of these`);
      return { name, test: typeTests[name] as (value: Json) => boolean };
    });
    if (types.length === 0) throw new SchemaFault('`type` is an empty list');
    const words = types.map(({ name }) => name).join(' or ');
    return (given, state) =>
      types.some(({ test }) => test(given)) ? null : wrong(state, `is not of the type ${words}`);
  },
  enum: (value) => {
    const list = requireList(value, 'enum');
    if (list.length === 0) throw new SchemaFault('`enum` is an empty list');
    return (given, state) => {
      state.effort.spend(list.length);
      return list.some((each) => equalJson(each, given)) ? null : wrong(state, `is none of ${shortly(list)}`);
    };
  },
  const: (value) => (given, state) =>
    equalJson(value, given) ? null : wrong(state, `is not ${shortly(value)}`),
  minimum: (value) => onNumber(value, 'minimum', (given, limit) => given >= limit, 'less than'),
  maximum: (value) => onNumber(value, 'maximum', (given, limit) => given <= limit, 'more than'),
  exclusiveMinimum: (value) =>
    onNumber(value, 'exclusiveMinimum', (given, limit) => given > limit, 'not more than'),
  exclusiveMaximum: (value) =>
    onNumber(value, 'exclusiveMaximum', (given, limit) => given < limit, 'not less than'),
  multipleOf: (value) => {
    if (typeof value !== 'number' || value <= 0)
      throw new SchemaFault('`multipleOf` is not a number above 0');
    return onNumber(value, 'multipleOf', isMultiple, 'not a multiple of');
  },
  minLength: (value) =>
    onLength(requireCount(value, 'minLength'), (length, limit) => length >= limit, 'shorter'),
  maxLength: (value) =>
    onLength(requireCount(value, 'maxLength'), (length, limit) => length <= limit, 'longer'),
  pattern: (value) => {
    if (typeof value !== 'string') throw new SchemaFault('`pattern` is not text');
    const pattern = linearPattern(value);
    return (given, state) => {
      if (typeof given !== 'string') return null;
      state.effort.spend(pattern.costOf(given));
      return pattern.matches(given) ? null : wrong(state, `does not match ${shortly(value)}`);
    };
  },
  format: (value, { checksFormats }) => {
    if (!checksFormats) return null;
    const isKnown = typeof value === 'string' && formats.includes(value);
    if (!isKnown) throw new SchemaFault(`\`format\` must be one of ${formats.join(', ')}`);
    const text = z.fromJSONSchema({ type: 'string', format: value }, { registry: z.registry() });
    return (given, state) =>
      typeof given !== 'string' || text.safeParse(given).success
        ? null
        : wrong(state, `is not in the format ${value}`);
  },
};

const formats = ['email', 'uri', 'uuid', 'date-time', 'date', 'time', 'duration', 'hostname', 'ipv4', 'ipv6'];

const typeTests: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

function onNumber(
  limit: Json,
  keyword: string,
  holds: (given: number, limit: number) => boolean,
  words: string,
): Check {
  if (typeof limit !== 'number') throw new SchemaFault(`\`${keyword}\` is not a number`);
  return (given, state) =>
    typeof given !== 'number' || holds(given, limit) ? null : wrong(state, `is ${words} ${limit}`);
}

function isMultiple(given: number, unit: number): boolean {
  const times = given / unit;
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.abs(times);
}

/** In characters, not in UTF-16 units. */
function onLength(limit: number, holds: (length: number, limit: number) => boolean, words: string): Check {
  return (given, state) => {
    if (typeof given !== 'string') return null;
    state.effort.spend(Math.ceil(given.length / 64));
    return holds(lengthOf(given), limit) ? null : wrong(state, `is ${words} than ${limit} characters`);
  };
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function shortly(value: Json): string {
  return shortened(JSON.stringify(value), 200);
}
