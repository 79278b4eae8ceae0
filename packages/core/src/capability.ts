import { equalJson, type Json } from './json.js';

/**
 * A fact about one tool call: a dotted name and its facts, `{name: 'fs.write', path: '/work/out/a.md'}`.
 * No fact is called `name`. A fact that cannot be known is left out.
 */
export interface Capability {
  readonly name: string;
  readonly [fact: string]: Json;
}

/** `fs.write.outside`: lower-case words of letters, digits and `_`, with dots between. */
export function isCapabilityName(text: string): boolean {
  return /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/.test(text) && text.length <= 200;
}

/** Whether `name` is `ancestor` or a refinement of it: `fs.write.outside` is within `fs.write` and `fs`, `fs.writeback` is not. */
export function isWithin(name: string, ancestor: string): boolean {
  return name === ancestor || name.startsWith(`${ancestor}.`);
}

export function isCarriedBy(capability: Capability, list: readonly Capability[]): boolean {
  return list.some((other) => equalJson(capability, other));
}

/** Each capability once, where it first stood. */
export function withoutRepetition(list: readonly Capability[]): readonly Capability[] {
  return list.filter((capability, index) => !isCarriedBy(capability, list.slice(0, index)));
}
