import { isCanonicalPath } from './canonical-path.js';
import type { Capability } from './capability.js';
import type { Json } from './json.js';
import { isMade, isMeasure, type Reach } from './reach.js';

/** What an answer that is kept says about one fact: this value, a path below this folder, or nothing. */
export type Pin =
  | { readonly pin: 'exactly'; readonly value: Json }
  /** A path below the folder, which ends in no slash; not the folder itself. */
  | { readonly pin: 'under'; readonly folder: string }
  | { readonly pin: 'free' };

/** What stays fixed of a capability that was shown, as data: `isWithinReach` in other words. */
export interface Pinned {
  readonly name: string;
  /** Each fact that was shown. One that is pinned has to be there. */
  readonly facts: Readonly<Record<string, Pin>>;
  /** Which facts that were not shown may be there: none, those that say how much (`bytes`), or any. */
  readonly others: 'none' | 'measures' | 'any';
}

/** What an answer about `shown` that reaches so far fixes. With `arguments` the call's own arguments stay the same besides. */
export function pinned(shown: Capability, reach: Exclude<Reach, 'call'>): Pinned {
  const { name, ...facts } = shown;
  return {
    name,
    // fromEntries defines own properties, so a fact called "__proto__" stays a fact.
    facts: Object.fromEntries(
      Object.entries(facts).map(([fact, value]) => [fact, pinOf(fact, value as Json, reach)]),
    ),
    others: reach === 'arguments' ? 'none' : reach === 'capability' ? 'any' : 'measures',
  };
}

/** The folder whose files an answer about this path covers from the reach `folder` on; null where there is none. */
export function folderOf(path: Json | undefined): string | null {
  if (path === undefined || !isCanonicalPath(path)) return null;
  const text = path as string;
  return text.lastIndexOf('/') > 0 ? text.slice(0, text.lastIndexOf('/')) : null;
}

const exactly = (value: Json): Pin => ({ pin: 'exactly', value });
const free: Pin = { pin: 'free' };

function pinOf(fact: string, value: Json, reach: Exclude<Reach, 'call'>): Pin {
  if (reach === 'arguments') return isMade(fact) ? free : exactly(value);
  if (reach === 'capability' || isMeasure(fact)) return free;
  if (reach === 'program' && ['argv', 'cwd'].includes(fact)) return free;
  const folder = fact === 'path' && reach !== 'file' ? folderOf(value) : null;
  return folder === null ? exactly(value) : { pin: 'under', folder };
}
