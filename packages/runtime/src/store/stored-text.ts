import { isJson } from '@ambit/core';

/** A model's output is as deep as its arguments, plus a few levels; deeper ones end the run. */
const depth = 3000;

/**
 * A value as text that restores the same value, also `__proto__`, NUL and lone surrogates. Throws if it is not plain
 * JSON.
 */
export function storedText(value: unknown): string {
  if (!isJson(value, depth)) throw new TypeError('only plain JSON can be stored');
  return JSON.stringify(value);
}

/** Ids and digests are compared by the database, which would cut them at a NUL. */
export function storedId(id: string): string {
  if (!/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(id))
    throw new TypeError(`${JSON.stringify(id)} is not an id that can be stored`);
  return id;
}
