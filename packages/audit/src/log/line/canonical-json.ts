import type { Json, JsonObject } from '@ambit/core';

/** The RFC 8785 form of a JSON value. Throws for numbers that are not finite, and for lone surrogates. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null) return 'null';
  if (value === true) return 'true';
  if (value === false) return 'false';
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no canonical form`);
  return Array.isArray(value) ? canonicalList(value) : canonicalObject(value as JsonObject);
}

function canonicalList(list: readonly Json[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1)
    text += (index === 0 ? '' : ',') + canonicalJson(list[index] as Json);
  return `${text}]`;
}

function canonicalObject(record: JsonObject): string {
  const keys = sorted(Object.keys(record));
  let text = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    text += `${index === 0 ? '' : ','}${canonicalText(key)}:${canonicalJson(record[key] as Json)}`;
  }
  return `${text}}`;
}

/** In code unit order, as strings compare; few keys are sorted faster by insertion. */
function sorted(keys: string[]): string[] {
  if (keys.length > 24) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    let at = index - 1;
    for (; at >= 0 && (keys[at] as string) > key; at -= 1) keys[at + 1] = keys[at] as string;
    keys[at + 1] = key;
  }
  return keys;
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
