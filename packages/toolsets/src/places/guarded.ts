import { posix } from 'node:path';
import type { Capability } from '@ambit/core';
import { isUnder, plainPath, realPathOf } from './paths.js';

/** What judges, answers or records the run: a file, or a folder with all that is in it. */
export interface GuardedPlace {
  /** Absolute; it need not exist. */
  readonly path: string;
  /** Of a folder, the files right in it whose names end so, those that are not yet there too: `.worker`. All of it where left out. */
  readonly suffix?: string;
  /** Of a folder, the files right in it with such names, those that are not yet there too. */
  readonly names?: RegExp;
  /** `policy file`, `log`: put into words for a person. */
  readonly what: string;
}

/** What changing a path is, where that touches a guarded place: the place, something in it, or a folder above it. */
export function guardsAt(path: string, guarded: readonly GuardedPlace[]): readonly Capability[] {
  return guardedMembers([path], guarded);
}

/** The same for many paths at once. Without `isAboveTouched` a folder above a guarded place is none: what is in it stays. */
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

/** Whether a file of this name is guarded in a folder of which only some are. */
export function isNamed(name: string, { suffix = '', names }: GuardedPlace): boolean {
  return name.endsWith(suffix) && (names === undefined || names.test(name));
}

/** As named and as real; the links on the way may change while a run lasts. */
function waysTo({ path }: GuardedPlace): readonly string[] {
  try {
    return [plainPath(path), realPathOf(path)];
  } catch {
    return [plainPath(path)];
  }
}
