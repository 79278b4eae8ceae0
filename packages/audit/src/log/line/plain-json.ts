import type { Json } from '@ambit/core';

/** A value below this depth is replaced by a sentence that says so. */
export const depthLimit = 500;

/**
 * Makes any value writable JSON, without throwing. A lone surrogate becomes `\u{d800}`, an unknown value text or
 * null.
 */
export function plainJson(value: unknown, depth = depthLimit): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return wellFormed(value.toString());
  if (typeof value !== 'object') return null;
  if (depth === 0) return `nested deeper than ${depthLimit}`;
  // Array.from visits the holes of a sparse list, which `map` would leave.
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => plainJson(item, depth - 1));
  return objectWith(
    Object.entries(value)
      .filter(([, item]) => item !== undefined && typeof item !== 'function')
      .map(([key, item]) => [wellFormed(key), plainJson(item, depth - 1)]),
  );
}

/** Whether `plainJson` would keep the value, except for lone surrogates. */
export function isPlainJson(value: unknown, depth = depthLimit): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === undefined) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null) return true;
  if (typeof value !== 'object' || depth === 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      if (!isPlainJson(value[index], depth - 1)) return false;
    return !('toJSON' in value);
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  // Includes members of the prototype, so `toJSON` cannot be a function.
  for (const key in value) if (!isPlainJson((value as Record<string, unknown>)[key], depth - 1)) return false;
  return true;
}

/** An object of these members, in order; a duplicate key gets a mark, so no member is lost. */
export function objectWith(members: readonly (readonly [string, Json])[]): { readonly [key: string]: Json } {
  const object = new Map<string, Json>();
  for (const [key, value] of members) {
    let free = key;
    while (object.has(free)) free += '\u{fffd}';
    object.set(free, value);
  }
  // fromEntries defines own properties, so a key called "__proto__" stays a key.
  return Object.fromEntries(object);
}

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
}
