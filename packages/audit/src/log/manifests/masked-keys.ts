import { type Capability, fileSetOf, type Json, type JsonObject } from '@ambit/core';
import { maskMark } from '../line/line.js';

/** The keys of masked values, as conditions read them: `capability.path`, `args.body.token`. */
export function maskedKeys(call: {
  readonly capabilities: readonly Capability[];
  readonly args: Json;
  readonly context: JsonObject;
}): readonly string[] {
  const capabilities = call.capabilities.flatMap(keysInCapability);
  return [
    ...new Set([...capabilities, ...keysIn(call.args, 'args'), ...keysIn(call.context, 'context')]),
  ].sort();
}

/** The same of earlier calls. The history of a run only grows, so only new capabilities are searched. */
export function maskedKeysBefore(history: readonly Capability[]): readonly string[] {
  const [first] = history;
  if (first === undefined) return [];
  const { count, last, keys } = searched.get(first) ?? { count: 0, last: undefined, keys: [] };
  const isSame = count <= history.length && history[count - 1] === last;
  const found = history.slice(isSame ? count : 0).flatMap(keysInCapability);
  const all = [...new Set([...(isSame ? keys : []), ...found])];
  searched.set(first, { count: history.length, last: history.at(-1), keys: all });
  return all;
}

/** By the first capability of a history. */
const searched = new WeakMap<
  Capability,
  { readonly count: number; readonly last: Capability | undefined; readonly keys: readonly string[] }
>();

/** Whether reading one key may reveal another: the same key, a part of it, or its parent. */
export function touches(read: string, masked: string): boolean {
  return read === masked || read.startsWith(`${masked}.`) || masked.startsWith(`${read}.`);
}

/** Whether something in a value was masked, a key included. */
export function hasMask(value: Json): boolean {
  return keysIn(value, '').length > 0;
}

/** A masked member of a file set makes the path of its capability masked. */
function keysInCapability(capability: Capability): readonly string[] {
  const set = fileSetOf(capability.path);
  if (set === null) return keysIn(capability, 'capability');
  const { path: _, ...others } = capability;
  const isMasked = set.paths.some((path) => path.includes(maskMark)) || set.under?.includes(maskMark);
  return [...(isMasked === true ? ['capability.path'] : []), ...keysIn(others, 'capability')];
}

function keysIn(value: Json, key: string): readonly string[] {
  if (typeof value === 'string') return value.includes(maskMark) ? [key] : [];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : Object.entries(value);
  return entries.flatMap(([name, inner]) => [
    // A key may be the secret itself.
    ...(name.includes(maskMark) ? [key] : []),
    ...keysIn(inner, `${key}.${name}`),
  ]);
}
