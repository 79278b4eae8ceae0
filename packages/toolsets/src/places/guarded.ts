import { posix } from 'node:path';
import { type Capability, orNull } from '@ambit/core';
import { isUnder, plainPath, realPathOf } from './paths.js';

export interface GuardedPlace {
  /** It need not exist. */
  readonly path: string;
  /** Only direct files with this suffix, also missing ones: `.worker`. */
  readonly suffix?: string;
  /** Only direct files with these names, also missing ones. */
  readonly names?: RegExp;
  /** For a person: `policy file`, `log`. */
  readonly what: string;
  /** Its path as named and as real. Without it, each use looks again, because links on the way may change. */
  readonly ways?: () => readonly string[];
}

/** The same places for one call: the first use of each looks for its ways, and the other uses know them. */
export function guardedInOneCall(guarded: readonly GuardedPlace[]): readonly GuardedPlace[] {
  return guarded.map((place) => {
    let found: readonly string[] | undefined;
    return { ...place, ways: () => (found ??= waysTo(place)) };
  });
}

/**
 * The capabilities of changing a guarded place, a file in it, or a parent folder. Without `isAboveTouched`, a parent
 * folder does not count.
 */
export function guardedMembers(
  paths: readonly string[],
  guarded: readonly GuardedPlace[],
  { isAboveTouched = true } = {},
): readonly Capability[] {
  if (paths.length === 0) return [];
  const places = guarded.map((place) => ({ place, ways: waysTo(place) }));
  return paths.flatMap((path) => {
    const touched = places.filter(({ place, ways }) =>
      ways.some((way) => isIn(path, way, place) || (isAboveTouched && isUnder(way, path))),
    );
    return [...new Set(touched.map(({ place }) => place.what))].map((what) => ({
      name: 'sys.guard',
      what,
      path,
    }));
  });
}

function isIn(path: string, guardedPath: string, place: GuardedPlace): boolean {
  if (isWhole(place)) return isUnder(path, guardedPath);
  return posix.dirname(path) === guardedPath && isNamed(posix.basename(path), place);
}

/** Whether a place is guarded with all that is in it. */
export function isWhole({ suffix, names }: GuardedPlace): boolean {
  return suffix === undefined && names === undefined;
}

/** Whether a file of this name is guarded in a folder with only some guarded files. */
export function isNamed(name: string, { suffix = '', names }: GuardedPlace): boolean {
  return name.endsWith(suffix) && (names === undefined || names.test(name));
}

function waysTo({ path, ways }: GuardedPlace): readonly string[] {
  return ways?.() ?? [plainPath(path), ...(orNull(() => [realPathOf(path)]) ?? [])];
}
