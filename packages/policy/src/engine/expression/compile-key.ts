import type { Json } from '@ambit/core';
import { lookUp } from '../../condition/evaluate.js';
import type { Key } from '../../condition/expression.js';

export type Find = (data: Json) => Json | undefined;

/** `lookUp`, of closures. */
export function compileKey(key: Key): Find {
  const parts = String(key).split('.');
  const [first = '', second = ''] = parts;
  const slow: Find = (data) => lookUp(key, data);
  if (key === '' || parts.length > 2) return slow;
  if (parts.length === 1) return (data) => (isObject(data) ? own(data, first) : slow(data));
  if (first === 'capability') return inCapability(second, slow);
  if (first === 'args') return inArguments(second, slow);
  if (first === 'context') return inContext(second, slow);
  return (data) => {
    const inner = isObject(data) ? own(data, first) : undefined;
    return inner !== undefined && isObject(inner) ? own(inner, second) : slow(data);
  };
}

// One function for each root, all alike: objects that are always of one shape are quick to read in a place of their own.

function inCapability(fact: string, slow: Find): Find {
  return (data) => {
    if (!isObject(data)) return slow(data);
    const { capability } = data as { readonly capability: Json };
    if (!isObject(capability)) return slow(data);
    const value = (capability as Facts)[fact];
    return value !== undefined && Object.hasOwn(capability, fact) ? value : undefined;
  };
}

function inArguments(name: string, slow: Find): Find {
  return (data) => {
    if (!isObject(data)) return slow(data);
    const { args } = data as { readonly args: Json };
    if (!isObject(args)) return slow(data);
    const value = (args as Facts)[name];
    return value !== undefined && Object.hasOwn(args, name) ? value : undefined;
  };
}

function inContext(name: string, slow: Find): Find {
  return (data) => {
    if (!isObject(data)) return slow(data);
    const { context } = data as { readonly context: Json };
    if (!isObject(context)) return slow(data);
    const value = (context as Facts)[name];
    return value !== undefined && Object.hasOwn(context, name) ? value : undefined;
  };
}

type Facts = Readonly<Record<string, Json>>;

function isObject(value: Json): value is Json & object {
  return typeof value === 'object' && value !== null;
}

function own(of: object, key: string): Json | undefined {
  const value = (of as Facts)[key];
  return value !== undefined && Object.hasOwn(of, key) ? value : undefined;
}
