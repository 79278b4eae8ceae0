import type { Capability } from '../words/capability.js';
import { fileSetOf } from '../words/files/file-set.js';
import type { Json } from '../words/json.js';
import { folderAbove, isIdentity, isMadeOf, isMeasureOf, pathReach, type Reach } from './reach.js';

/** What a kept answer fixes about one fact: this value, a path below this folder, or nothing. */
export type Pin =
  | { readonly pin: 'exactly'; readonly value: Json }
  /** A path below the folder, not the folder itself. No trailing slash. */
  | { readonly pin: 'under'; readonly folder: string }
  /** A path, or each member of a file set: one of these, or below one of these folders. Sorted. */
  | { readonly pin: 'among'; readonly paths: readonly string[]; readonly folders: readonly string[] }
  | { readonly pin: 'free' };

/** Equivalent to `isWithinReach`. */
export interface Pinned {
  readonly name: string;
  /** A pinned fact must be present. */
  readonly facts: Readonly<Record<string, Pin>>;
  /** Further facts: none, measures (`bytes`), or any but `agent`, and `named` of `tool.call`. */
  readonly others: 'none' | 'measures' | 'any';
}

/** With `arguments`, the call's arguments are fixed too. */
export function pinned(shown: Capability, reach: Exclude<Reach, 'call'>): Pinned {
  const { name, ...facts } = shown;
  return {
    name,
    // fromEntries defines own properties, so a fact called "__proto__" stays a fact.
    facts: Object.fromEntries(Object.keys(facts).map((fact) => [fact, pinOf(shown, fact, reach)])),
    others: reach === 'arguments' ? 'none' : reach === 'capability' ? 'any' : 'measures',
  };
}

const exactly = (value: Json): Pin => ({ pin: 'exactly', value });
const free: Pin = { pin: 'free' };

function pinOf(shown: Capability, fact: string, reach: Exclude<Reach, 'call'>): Pin {
  const value = shown[fact] as Json;
  if (fact === 'path' && typeof value === 'object' && reach !== 'capability')
    return pinOfSet(value, reach) ?? exactly(value);
  if (reach === 'arguments') return isMadeOf(shown, fact) ? free : exactly(value);
  if (isIdentity(shown, fact)) return exactly(value);
  if (reach === 'capability' || isMeasureOf(shown, fact)) return free;
  if (reach === 'program' && ['argv', 'cwd'].includes(fact)) return free;
  const folder = fact === 'path' && reach !== 'file' ? folderAbove(value) : null;
  return folder === null ? exactly(value) : { pin: 'under', folder };
}

/** Null for an open set. */
function pinOfSet(value: Json, reach: Exclude<Reach, 'call'>): Pin | null {
  const set = fileSetOf(value);
  const files = set === null || set.open === true ? null : pathReach(value, reach);
  if (files === null) return null;
  const isIn = (path: string) => files.folders.has(folderAbove(path) ?? '');
  return {
    pin: 'among',
    paths: [...files.paths].filter((path) => !isIn(path)).sort(),
    folders: [...files.folders].sort(),
  };
}
