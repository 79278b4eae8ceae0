import type { Json } from '@ambit/core';

/**
 * The RFC 8785 form of a JSON value: keys in the order of their UTF-16 code units, numbers and strings as ECMAScript
 * writes them. Throws on what has no such form: a number that is not finite, a lone surrogate (see `plainJson`).
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`;
  const members = Object.entries(value)
    // Comparing strings compares code units, which is the order that the RFC wants.
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => `${canonicalText(key)}:${canonicalJson(item as Json)}`);
  return `{${members.join(',')}}`;
}

function canonicalText(text: string): string {
  if (loneSurrogate.test(text)) throw new TypeError('a lone surrogate has no canonical form');
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
  return JSON.stringify(value);
}

const loneSurrogate = /\p{Cs}/u;
