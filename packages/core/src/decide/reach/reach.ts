import { type Capability, isWithin } from '../../words/capability.js';
import { membersOf } from '../../words/files/file-set.js';
import { equalJson, type Json } from '../../words/json.js';
import { isPathReached, isUnbounded, type PathReach, pathReach } from './path-reach.js';

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

/** The same of a fact of this capability: what a file holds before it is touched is a measure of it. */
export function isMeasureOf({ name }: Capability, fact: string): boolean {
  return isMeasure(fact) || isContent(name, fact);
}

/** Whether a fact is one that a call changes by being made. */
export function isMadeOf({ name }: Capability, fact: string): boolean {
  return fact === 'exists' || isContent(name, fact);
}

/** The digest of code that is loaded, and of a file that is handed over, is what the call is about. */
function isContent(name: string, fact: string): boolean {
  return fact === 'sha256' && isWithin(name, 'fs');
}

/** Whether an answer about `shown` that reaches as far as `reach` covers `capability`. `call` covers nothing but its call. */
export function isWithinReach(capability: Capability, shown: Capability, reach: Reach): boolean {
  return isWithinReachOf([shown], reach, capability);
}

/** The same, of an answer about all of these: each member of a file set has to be covered by one of them. */
export function isWithinReachOf(shown: readonly Capability[], reach: Reach, capability: Capability): boolean {
  if (reach === 'call' || isUnbounded(own(capability, 'path'))) return false;
  const covering = shown.map((one) => coverage(one, reach));
  const isCovered = (one: Capability) => covering.some((covers) => covers(one));
  if (isCovered(capability)) return true;
  const members = membersOf(capability);
  return members.length > 1 && members.every(isCovered);
}

/** What an answer covers; a large file set is read once. */
function coverage(shown: Capability, reach: Exclude<Reach, 'call'>): (capability: Capability) => boolean {
  const path = own(shown, 'path');
  const files = path === undefined ? null : pathReach(path, reach);
  return (capability) => {
    if (capability.name !== shown.name) return false;
    if (reach === 'capability') return true;
    return factsOf(capability, shown).every((fact) =>
      isFactWithin(fact, { capability, shown, reach, files }),
    );
  };
}

function isFactWithin(
  fact: string,
  of: {
    readonly capability: Capability;
    readonly shown: Capability;
    readonly reach: Reach;
    readonly files: PathReach | null;
  },
): boolean {
  const [value, shown] = [own(of.capability, fact), own(of.shown, fact)];
  // The very same call, made again, finds what it has made.
  const { capability } = of;
  if (of.reach === 'arguments') {
    if (isMadeOf(capability, fact) && (shown !== undefined || fact === 'sha256')) return true;
  } else if (isMeasureOf(capability, fact)) return true;
  if (value === undefined || shown === undefined) return false;
  if (fact === 'path' && of.files !== null) return isPathReached(value, of.files);
  if (equalJson(value, shown)) return true;
  // `program` lets what a program was given differ, never which program it is.
  return of.reach === 'program' && ['argv', 'cwd'].includes(fact);
}

function factsOf(one: Capability, other: Capability): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((fact) => fact !== 'name');
}

function own(capability: Capability, fact: string): Json | undefined {
  return Object.hasOwn(capability, fact) ? capability[fact] : undefined;
}
