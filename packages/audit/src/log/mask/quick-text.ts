import type { Json, JsonObject } from '@ambit/core';
import { canonicalText, sorted } from '../line/canonical-json.js';
import { depthLimit } from '../line/plain-json.js';
import { mayHoldSecret } from './secret-hint.js';

/**
 * The canonical form of a value, in one pass, if it is plain JSON without a possible secret; null otherwise.
 */
export function quickText(value: unknown): string | null {
  try {
    return textOf(value as Json, depthLimit);
  } catch (error) {
    if (error === others || error instanceof TypeError) return null;
    throw error;
  }
}

/** Whether a key of an event itself may mark a secret. */
export function isQuickKey(key: string): boolean {
  return quickText(key) !== null;
}

/** The exception for other values; created once, because creating errors is slow. */
const others = new Error('not plain, or perhaps secret');

function textOf(value: Json, depth: number): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw others;
    return value === 0 ? '0' : String(value);
  }
  if (value === null) return 'null';
  if (value === true) return 'true';
  if (value === false) return 'false';
  if (typeof value !== 'object' || depth === 0) throw others;
  let text = '';
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      text +=
        index === 0 ? textOf(value[index] as Json, depth - 1) : `,${textOf(value[index] as Json, depth - 1)}`;
    return `[${text}]`;
  }
  const keys = sorted(Object.keys(value));
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    const item = textOf((value as JsonObject)[key] as Json, depth - 1);
    text += index === 0 ? `${stringText(key)}:${item}` : `,${stringText(key)}:${item}`;
  }
  return `{${text}}`;
}

/** Names, rules and paths repeat; the cache is bounded against invented ones. */
const known = new Map<string, string>();

function stringText(text: string): string {
  if (text.length > 64) return newText(text);
  const before = known.get(text);
  if (before !== undefined) return before;
  const found = newText(text);
  if (known.size >= 5000) known.clear();
  known.set(text, found);
  return found;
}

function newText(text: string): string {
  if (mayHoldSecret(text)) throw others;
  return canonicalText(text);
}
