import { isJson } from '@ambit/core';

/** A model's output is as deep as its arguments, plus a few levels; deeper ones end the run. */
const depth = 3000;

/**
 * A value as text that restores the same value: also a key `__proto__`, a NUL and a lone surrogate. Throws on
 * values that are not plain JSON, which JSON text would change silently.
 */
export function storedText(value: unknown): string {
  if (!isJson(value, depth)) throw new TypeError('only plain JSON can be stored');
  return JSON.stringify(value);
}

/** Ids and digests are compared by the database, which would cut them at a NUL. */
export function storedId(id: string): string {
  if (!/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(id))
    throw new TypeError(`${JSON.stringify(id)} cannot be the id of anything stored`);
  return id;
}
