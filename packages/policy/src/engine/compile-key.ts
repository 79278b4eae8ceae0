import type { Json } from '@ambit/core';
import { lookUp } from '../evaluate.js';
import type { Key } from '../expression.js';

/** `lookUp`, of closures. */
export function compileKey(key: Key): (data: Json) => Json | undefined {
  const parts = String(key).split('.');
  const [first = '', second = ''] = parts;
  if (key === '' || parts.length > 2) return (data) => lookUp(key, data);
  if (parts.length === 1) return (data) => (isObject(data) ? own(data, first) : lookUp(key, data));
  return (data) => {
    const inner = isObject(data) ? own(data, first) : undefined;
    return inner !== undefined && isObject(inner) ? own(inner, second) : lookUp(key, data);
  };
}

function isObject(value: Json): value is Json & object {
  return typeof value === 'object' && value !== null;
}

function own(of: object, key: string): Json | undefined {
  return Object.hasOwn(of, key) ? (of as Record<string, Json>)[key] : undefined;
}
