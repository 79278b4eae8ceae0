import { type Capability, isWithin } from '../../words/capability.js';
import { membersOf } from '../../words/files/file-set.js';
import { equalJson, type Json } from '../../words/json.js';
import { isPathReached, isUnbounded, type PathReach, pathReach } from './path-reach.js';

/**
 * How far an answer may reach, from the narrowest: this call; the same arguments; the same file; the same
 * folder; the same program; the whole capability. Each covers those before it.
 */
export const reaches = ['call', 'arguments', 'file', 'folder', 'program', 'capability'] as const;
export type Reach = (typeof reaches)[number];

/** Measures of a file, and whether it existed: they may differ from `file` on. */
const measures: readonly string[] = ['bytes', 'exists', 'links'];

/** Whether a fact is a measure. */
export function isMeasure(fact: string): boolean {
  return measures.includes(fact);
}

/** The same for a fact of this capability: the digest of a file's earlier content is a measure. */
export function isMeasureOf({ name }: Capability, fact: string): boolean {
  return isMeasure(fact) || isContent(name, fact);
}

/** Whether a call itself changes the fact. */
export function isMadeOf({ name }: Capability, fact: string): boolean {
  return fact === 'exists' || isContent(name, fact);
}

/** The digest of loaded code, and of an attachment, identifies the call. */
function isContent(name: string, fact: string): boolean {
  return fact === 'sha256' && isWithin(name, 'fs');
}

/** Whether an answer about `shown` with this `reach` covers `capability`. `call` covers only its call. */
export function isWithinReach(capability: Capability, shown: Capability, reach: Reach): boolean {
  return isWithinReachOf([shown], reach, capability);
}

/** The same for an answer about all of these: one of them must cover each member of a file set. */
export function isWithinReachOf(shown: readonly Capability[], reach: Reach, capability: Capability): boolean {
  if (reach === 'call' || isUnbounded(own(capability, 'path'))) return false;
  const covering = shown.map((one) => coverage(one, reach));
  const isCovered = (one: Capability) => covering.some((covers) => covers(one));
  if (isCovered(capability)) return true;
  const members = membersOf(capability);
  return members.length > 1 && members.every(isCovered);
}

/** The coverage of an answer; a large file set is read once. */
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
  // The same call, made again, finds its own file.
  const { capability } = of;
  if (of.reach === 'arguments') {
    if (isMadeOf(capability, fact) && (shown !== undefined || fact === 'sha256')) return true;
  } else if (isMeasureOf(capability, fact)) return true;
  if (value === undefined || shown === undefined) return false;
  if (fact === 'path' && of.files !== null) return isPathReached(value, of.files);
  if (equalJson(value, shown)) return true;
  // `program` lets the arguments of a program differ, never the program.
  return of.reach === 'program' && ['argv', 'cwd'].includes(fact);
}

function factsOf(one: Capability, other: Capability): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((fact) => fact !== 'name');
}

function own(capability: Capability, fact: string): Json | undefined {
  return Object.hasOwn(capability, fact) ? capability[fact] : undefined;
}
