import type { Json, JsonObject } from '@ambit/core';
import { depthLimit } from './plain-json.js';

/**
 * The RFC 8785 form of a JSON value: keys in the order of their UTF-16 code units, numbers and strings as in
 * ECMAScript. Throws for a value without such a form: a number that is not finite, a lone surrogate (see
 * `plainJson`).
 */
export function canonicalJson(value: Json): string {
  return canonical(value, Number.POSITIVE_INFINITY);
}

/** The same, for anything at all: null where `plainJson` would have to make JSON of it first. */
export function canonicalOfPlain(value: unknown): string | null {
  try {
    return canonical(value as Json, depthLimit);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function canonical(value: Json, depth: number): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null) return 'null';
  if (value === true) return 'true';
  if (value === false) return 'false';
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no canonical form`);
  if (depth === 0) throw new TypeError('a value nested this deep has no canonical form');
  return Array.isArray(value)
    ? canonicalList(value, depth - 1)
    : canonicalObject(value as JsonObject, depth - 1);
}

function canonicalList(list: readonly Json[], depth: number): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1)
    text += index === 0 ? canonical(list[index] as Json, depth) : `,${canonical(list[index] as Json, depth)}`;
  return `${text}]`;
}

function canonicalObject(record: JsonObject, depth: number): string {
  const keys = sorted(Object.keys(record));
  let text = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    text += (index === 0 ? '' : ',') + canonicalKey(key) + canonical(record[key] as Json, depth);
  }
  return `${text}}`;
}

/** In code unit order, as strings compare; few keys are sorted faster by insertion. */
export function sorted(keys: string[]): string[] {
  if (keys.length > 24) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    let at = index - 1;
    for (; at >= 0 && (keys[at] as string) > key; at -= 1) keys[at + 1] = keys[at] as string;
    keys[at + 1] = key;
  }
  return keys;
}

/** A key with its colon, cached; the cache is bounded against invented keys. */
export function canonicalKey(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${canonicalText(key)}:`;
  if (key.length <= 64 && keyTexts.size < 4000) keyTexts.set(key, text);
  return text;
}

const keyTexts = new Map<string, string>();

/** Node has it since 20; the library that types come from knows it later. */
type WellFormed = string & { isWellFormed(): boolean };

export function canonicalText(text: string): string {
  if (!(text as WellFormed).isWellFormed()) throw new TypeError('a lone surrogate has no canonical form');
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
  return value === 0 ? '0' : String(value);
}
