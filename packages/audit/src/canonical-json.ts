import type { Json, JsonObject } from '@ambit/core';

/**
 * The RFC 8785 form of a JSON value: keys in the order of their UTF-16 code units, numbers and strings as ECMAScript
 * writes them. Throws on what has no such form: a number that is not finite, a lone surrogate (see `plainJson`).
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? canonicalList(value) : canonicalObject(value as JsonObject);
}

function canonicalList(list: readonly Json[]): string {
  let text = '';
  for (const item of list) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
  return `[${text}]`;
}

function canonicalObject(record: JsonObject): string {
  let text = '';
  // Sorting strings compares their code units, which is the order that the RFC wants.
  for (const key of Object.keys(record).sort())
    text += `${text === '' ? '' : ','}${canonicalText(key)}:${canonicalJson(record[key] as Json)}`;
  return `{${text}}`;
}

function canonicalText(text: string): string {
  // Most texts have nothing in them that is escaped.
  if (plain.test(text)) return `"${text}"`;
  if (loneSurrogate.test(text)) throw new TypeError('a lone surrogate has no canonical form');
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
  return JSON.stringify(value);
}

const plain = /^[ !#-[\]-~]*$/;
const loneSurrogate = /\p{Cs}/u;
