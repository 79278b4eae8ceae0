import { isObject, type Json, type JsonObject } from '@ambit/core';
import {
  below,
  type Check,
  firstProblem,
  type Keyword,
  requireCount,
  requireList,
  requireMap,
  SchemaFault,
  wrong,
} from './check.js';
import { linearPattern } from './linear-pattern.js';

/** Own names only: `__proto__` and `constructor` are names like others. */
export const objectKeywords: Readonly<Record<string, Keyword>> = {
  properties: (value, { compile }) => {
    const checks = Object.entries(requireMap(value, 'properties')).map(
      ([name, inner]) => [name, compile(inner)] as const,
    );
    return onObject((given, state) =>
      firstProblem(checks, ([name, check]) =>
        Object.hasOwn(given, name) ? check(given[name] as Json, below(state, name)) : null,
      ),
    );
  },
  required: (value) => {
    const names = requireNames(value, 'required');
    return onObject((given, state) => {
      const missing = names.find((name) => !Object.hasOwn(given, name));
      return missing === undefined ? null : wrong(state, `lacks \`${missing}\``);
    });
  },
  additionalProperties: (value, { schema, compile }) => {
    const check = compile(value);
    const known = new Set(Object.keys(isObject(schema.properties) ? schema.properties : {}));
    const patterns = Object.keys(isObject(schema.patternProperties) ? schema.patternProperties : {}).map(
      linearPattern,
    );
    return onObject((given, state) =>
      firstProblem(Object.keys(given), (name) => {
        state.effort.spend(1 + patterns.reduce((sum, { costOf }) => sum + costOf(name), 0));
        if (known.has(name) || patterns.some(({ matches }) => matches(name))) return null;
        if (value === false) return wrong(state, `must not have \`${name}\``);
        return check(given[name] as Json, below(state, name));
      }),
    );
  },
  patternProperties: (value, { compile }) => {
    const checks = Object.entries(requireMap(value, 'patternProperties')).map(
      ([pattern, inner]) => [linearPattern(pattern), compile(inner)] as const,
    );
    return onObject((given, state) =>
      firstProblem(Object.keys(given), (name) =>
        firstProblem(checks, ([pattern, check]) => {
          state.effort.spend(1 + pattern.costOf(name));
          return pattern.matches(name) ? check(given[name] as Json, below(state, name)) : null;
        }),
      ),
    );
  },
  propertyNames: (value, { compile }) => {
    const check = compile(value);
    return onObject((given, state) =>
      firstProblem(Object.keys(given), (name) => check(name, below(state, name))),
    );
  },
  minProperties: (value) =>
    onSize(requireCount(value, 'minProperties'), (size, limit) => size >= limit, 'fewer'),
  maxProperties: (value) =>
    onSize(requireCount(value, 'maxProperties'), (size, limit) => size <= limit, 'more'),
  dependentRequired: (value) => {
    const needs = Object.entries(requireMap(value, 'dependentRequired')).map(
      ([name, others]) => [name, requireNames(others, 'dependentRequired')] as const,
    );
    return onObject((given, state) =>
      firstProblem(needs, ([name, others]) => {
        if (!Object.hasOwn(given, name)) return null;
        const missing = others.find((other) => !Object.hasOwn(given, other));
        return missing === undefined ? null : wrong(state, `lacks \`${missing}\`, which \`${name}\` needs`);
      }),
    );
  },
};

function onObject(check: (given: JsonObject, state: Parameters<Check>[1]) => string | null): Check {
  return (given, state) => (isObject(given) ? check(given, state) : null);
}

function onSize(limit: number, holds: (size: number, limit: number) => boolean, words: string): Check {
  return onObject((given, state) =>
    holds(Object.keys(given).length, limit) ? null : wrong(state, `has ${words} than ${limit} entries`),
  );
}

function requireNames(value: Json, keyword: string): readonly string[] {
  return requireList(value, keyword).map((name) => {
    if (typeof name !== 'string') throw new SchemaFault(`\`${keyword}\` is not a list of names`);
    return name;
  });
}
