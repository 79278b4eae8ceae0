import { isCanonicalPath, isUnder, type Json } from '@ambit/core';
import jsonLogic from 'json-logic-js';
import { isInBlock, parseBlock } from './cidr.js';
import type { Operator, ValueOperator } from './expression.js';

export class Undecidable {
  constructor(readonly why: string) {}
}

/** The path of an unknown member of an open file set: only `under` has a value for it. */
export class UnknownPath extends Undecidable {
  /** `under` is its folder, if known. */
  constructor(readonly under: string | null) {
    super('fact `path` is unknown');
  }
}

const longestText = 1_000_000;

/** The product of both lengths. */
const mostSearch = 2 ** 26;

/** json-logic-js's value, where the kinds of the operands make it meaningful. */
export function applyOperator(operator: ValueOperator, values: readonly Json[]): Json | Undecidable {
  const usual = values.length === 2 ? usualValue(operator, values[0], values[1]) : null;
  if (usual !== null) return usual;
  const objection = objectionTo(operator, values);
  if (objection !== null) return new Undecidable(objection);
  const value: unknown = jsonLogic.apply({ [operator]: operandsFor(operator, values) }, null);
  if (typeof value === 'number' && !Number.isFinite(value))
    return new Undecidable(`\`${operator}\` has no finite value`);
  return value as Json;
}

/** That value for a usual comparison or sum, without json-logic-js; null for any other. */
export function usualValue(
  operator: Operator,
  one: Json | undefined,
  other: Json | undefined,
): boolean | number | null {
  if (typeof one === 'object' || one === undefined || other === undefined) return null;
  if (operator === 'in' && Array.isArray(other)) return other.indexOf(one) !== -1;
  if (typeof one !== typeof other) return null;
  if (operator === '==' || operator === '===') return one === other;
  if (operator === '!=' || operator === '!==') return one !== other;
  return typeof one === 'number' && typeof other === 'number' ? ofNumbers(operator, one, other) : null;
}

function ofNumbers(operator: Operator, one: number, other: number): boolean | number | null {
  if (operator === '<') return one < other;
  if (operator === '<=') return one <= other;
  if (operator === '>') return one > other;
  if (operator === '>=') return one >= other;
  // json-logic-js reads -0 as 0 here.
  if (operator === '+') return finite(0 + one + other);
  if (operator === '*') return finite((one + 0) * (other + 0));
  return operator === '-' ? finite(one - other) : null;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function applyCidr([subject, range]: readonly Json[]): boolean | Undecidable {
  const block = typeof range === 'string' ? parseBlock(range) : null;
  const isInside = block === null || typeof subject !== 'string' ? null : isInBlock(subject, block);
  return isInside ?? new Undecidable('`cidr` needs an address and a block, both canonical');
}

/** An unknown path is decided for a folder that contains every possible path, or none of them. */
export function applyUnder(subject: Json | UnknownPath, range: Json): boolean | Undecidable {
  const isKnown = !(subject instanceof UnknownPath);
  if (typeof range !== 'string' || !isCanonicalPath(range) || (isKnown && !isCanonicalPath(subject)))
    return isKnown ? new Undecidable('`under` needs two canonical paths') : subject;
  if (isKnown) return isUnder(subject as string, range);
  const { under } = subject;
  if (under === null) return subject;
  if (isUnder(under, range)) return true;
  return isUnder(range, under) ? subject : false;
}

/** Work is counted in characters, so that it stays a whole number. One step is this many characters. */
export const step = 50;

/** The cost of an operation: the work of json-logic-js for it. */
export function costOf(values: readonly Json[]): number {
  let total = step;
  for (const value of values) total += costOfOne(value);
  return total;
}

function costOfOne(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && Array.isArray(value) ? value.length * step : step;
}

function objectionTo(operator: ValueOperator, values: readonly Json[]): string | null {
  if (['==', '===', '!=', '!=='].includes(operator))
    return areOfOneKind(values) ? null : `\`${operator}\` needs two values of one kind`;
  if (operator === 'in') return objectionToIn(values);
  if (operator === 'cat') return objectionToCat(values);
  if (operator === 'substr') {
    const [text, ...numbers] = values;
    const isCuttable = typeof text === 'string' && numbers.every((number) => Number.isSafeInteger(number));
    return isCuttable ? null : '`substr` needs a text and whole numbers';
  }
  return values.every((value) => typeof value === 'number') ? null : `\`${operator}\` needs numbers`;
}

function objectionToIn(values: readonly Json[]): string | null {
  const [needle, where] = values;
  if (!isSearchable(values)) return '`in` needs a list, or text within text';
  if (typeof where !== 'string' || typeof needle !== 'string') return null;
  return needle.length * where.length <= mostSearch
    ? null
    : '`in` has texts that are too long to be searched';
}

function objectionToCat(values: readonly Json[]): string | null {
  if (!values.every((value) => typeof value === 'string' || typeof value === 'number'))
    return '`cat` needs text or numbers';
  const length = values.reduce<number>((total, value) => total + String(value).length, 0);
  return length > longestText ? '`cat` would make a text that is too long' : null;
}

function areOfOneKind([one, other]: readonly Json[]): boolean {
  // json-logic-js compares lists and objects by identity, which is meaningless here.
  if (one === null || other === null) return one === other;
  return typeof one === typeof other && typeof one !== 'object';
}

function isSearchable([needle, where]: readonly Json[]): boolean {
  if (typeof where === 'string') return typeof needle === 'string';
  return Array.isArray(where) && (typeof needle !== 'object' || needle === null);
}

/** json-logic-js runs an object in a list as logic, so the search never passes one to it. */
function operandsFor(operator: ValueOperator, values: readonly Json[]): readonly Json[] {
  const [needle, where] = values;
  if (operator !== 'in' || !Array.isArray(where)) return values;
  return [needle as Json, where.filter((item) => typeof item !== 'object' || item === null)];
}
