import type { Json, JsonObject } from '@ambit/core';

/** The RFC 8785 form of a JSON value. Throws for numbers that are not finite, and for lone surrogates. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no canonical form`);
  return Array.isArray(value) ? canonicalList(value) : canonicalObject(value as JsonObject);
}

function canonicalList(list: readonly Json[]): string {
  // Array.from visits the holes of a sparse list, which have no form.
  return `[${Array.from(list, (item) => canonicalJson(item)).join(',')}]`;
}

function canonicalObject(record: JsonObject): string {
  // In code unit order, as strings compare.
  const keys = Object.keys(record).sort();
  let text = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    text += `${index === 0 ? '' : ','}${canonicalText(key)}:${canonicalJson(record[key] as Json)}`;
  }
  return `${text}}`;
}

/** Available in Node since 20, and in its types later. */
type WellFormed = string & { isWellFormed(): boolean };

function canonicalText(text: string): string {
  if (!(text as WellFormed).isWellFormed()) throw new TypeError('a lone surrogate has no canonical form');
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
  return value === 0 ? '0' : String(value);
}
