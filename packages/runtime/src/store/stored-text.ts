import { isJson } from '@ambit/core';

/** What a model says is nested as deep as its arguments, which may be nonsense, and a few levels more; deeper ones end the run. */
const depth = 3000;

/**
 * A value as text that gives the same value again: a key called `__proto__`, a NUL and a lone surrogate too. Throws on
 * what is not plain JSON, of which JSON text would silently keep something else.
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
