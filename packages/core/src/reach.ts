import { isCanonicalPath } from './canonical-path.js';
import type { Capability } from './capability.js';
import { equalJson, type Json } from './json.js';

/**
 * How far an answer may reach, from the narrowest: this call; the same arguments; the same file; the same folder;
 * the same program; the capability as such. Each covers all that the ones before it cover.
 */
export const reaches = ['call', 'arguments', 'file', 'folder', 'program', 'capability'] as const;
export type Reach = (typeof reaches)[number];

/** Facts that say how much, not what: they may differ from `file` on, and whether it exists before. */
const measures: readonly string[] = ['bytes', 'exists', 'links'];

/** Whether a fact says how much, not what. */
export function isMeasure(fact: string): boolean {
  return measures.includes(fact);
}

/** Whether a fact is one that a call changes by being made. */
export function isMade(fact: string): boolean {
  return fact === 'exists';
}

/** Whether an answer about `shown` that reaches as far as `reach` covers `capability`. `call` covers nothing but its call. */
export function isWithinReach(capability: Capability, shown: Capability, reach: Reach): boolean {
  if (capability.name !== shown.name || reach === 'call') return false;
  if (reach === 'capability') return true;
  return factsOf(capability, shown).every((fact) => isFactWithin(fact, { capability, shown, reach }));
}

function isFactWithin(
  fact: string,
  of: { capability: Capability; shown: Capability; reach: Reach },
): boolean {
  const [value, shown] = [own(of.capability, fact), own(of.shown, fact)];
  // The very same call, made again, finds what it has made.
  if (of.reach === 'arguments' ? isMade(fact) && shown !== undefined : isMeasure(fact)) return true;
  if (value === undefined || shown === undefined) return false;
  if (equalJson(value, shown)) return true;
  if (of.reach === 'arguments') return false;
  if (fact === 'path' && of.reach !== 'file') return isInFolderOf(value, shown);
  // `program` lets what a program was given differ, never which program it is.
  return of.reach === 'program' && ['argv', 'cwd'].includes(fact);
}

/** Whether a path lies in the folder that holds `shown`; nothing but itself lies in the folder of a file at the root. */
function isInFolderOf(value: Json, shown: Json): boolean {
  if (typeof value !== 'string' || typeof shown !== 'string') return false;
  // A path that is not canonical counts as missing: `/w/../etc` lies in no folder.
  if (!isCanonicalPath(value) || !isCanonicalPath(shown)) return false;
  const folder = shown.slice(0, shown.lastIndexOf('/') + 1);
  return folder.length > 1 && value.startsWith(folder);
}

function factsOf(one: Capability, other: Capability): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((fact) => fact !== 'name');
}

function own(capability: Capability, fact: string): Json | undefined {
  return Object.hasOwn(capability, fact) ? capability[fact] : undefined;
}
