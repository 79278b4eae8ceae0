import { createHash } from 'node:crypto';
import { canonicalJson } from '@ambit/audit';
import type { Json, JsonObject } from '@ambit/core';

/** The SHA-256, in hex, of the canonical JSON of a value. */
export function jsonDigest(value: JsonObject): string {
  return createHash('sha256').update(unambiguous(value)).digest('hex');
}

/**
 * A value with a lone surrogate has no canonical form. With its text escaped and a mark it has a unique one.
 */
function unambiguous(value: JsonObject): string {
  try {
    return canonicalJson(value);
  } catch {
    return `escaped ${canonicalJson(escaped(value))}`;
  }
}

function escaped(value: Json): Json {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(escaped);
  // fromEntries defines own properties, so a key called "__proto__" stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [JSON.stringify(key), escaped(item)]));
}
