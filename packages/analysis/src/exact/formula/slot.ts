import { type Capability, type Json, toolsetOf } from '@ambit/core';
import type { Key } from '@ambit/policy';
import type { SubjectKind } from './expression-cuts.js';
import { type Value, type Variable, withValueAt } from './variable.js';

export type Slot =
  | { readonly index: number; readonly name: string; readonly isFresh: boolean; readonly capability: null }
  | { readonly index: null; readonly name: string; readonly isFresh: false; readonly capability: Capability };

/** The slot of a capability of which only the name is known. */
export function openSlot(name: string, index = 0, isFresh = false): Slot {
  return { index, name, isFresh, capability: null };
}

/** Names count only where they are read; a known capability is its own key. */
export function slotKey({ index, name, capability }: Slot): string {
  return index === null ? JSON.stringify(capability) : `${index} ${name}`;
}

interface Read {
  /** Null if it is constant. */
  readonly variable: Variable | null;
  /** Null for what expressions about one subject cannot use. */
  readonly kind: SubjectKind | null;
  /** Whether it reads a member of a value that is not an object. */
  readonly isOpaque: boolean;
  /** Whether it reads the capability's name. */
  readonly isName: boolean;
}

const same: Read = { variable: null, kind: null, isOpaque: false, isName: false };
const blurred: Read = { ...same, isOpaque: true };

export function readOf(key: Key, slot: Slot | null): Read {
  const [root = '', ...path] = String(key).split('.');
  switch (root) {
    case 'capability':
      if (path.length === 0 || slot?.index == null) return same;
      if (path[0] === 'name') return path.length === 1 ? { ...same, isName: true } : blurred;
      return { ...same, variable: { kind: 'fact', slot: slot.index, path }, kind: 'value' };
    case 'args':
    case 'context':
      return path.length === 0 ? same : { ...same, variable: { kind: root, path }, kind: 'value' };
    case 'tool':
    case 'toolset':
      return path.length > 0 ? blurred : { ...same, variable: { kind: 'tool' }, kind: root };
    case 'worker':
    case 'chain':
      return path.length > 0 ? blurred : { ...same, variable: { kind: 'chain' }, kind: root };
    default:
      return blurred;
  }
}

export function knownData(slot: Slot | null, known: { variable: Variable; value: Value } | null): Json {
  const capability: Json = slot?.capability ?? (slot === null ? {} : { name: slot.name });
  const scene: Json = { ...(slot === null ? {} : { capability }), args: {}, context: {} };
  if (known === null || known.value === undefined) return scene;
  const { variable, value } = known;
  switch (variable.kind) {
    case 'fact':
      return withValueAt(scene, ['capability', ...variable.path], value);
    case 'args':
    case 'context':
      return withValueAt(scene, [variable.kind, ...variable.path], value);
    case 'tool':
      return { ...scene, tool: value, toolset: toolsetOf(value as string) };
    case 'chain':
      return { ...scene, chain: value, worker: (value as readonly string[]).at(-1) as string };
    case 'now':
    case 'opaque':
      return scene;
  }
}
