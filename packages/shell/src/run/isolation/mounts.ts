import { readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import {
  allRoots,
  type GuardedPlace,
  isNamed,
  isUnder,
  isWhole,
  type Roots,
  realPathOf,
  segmentsOf,
} from '@ambit/toolsets';
import { outermost } from '../../files/listing.js';

/** A change to the read-only file system; each holds for everything below its path, until a later one. */
export interface Mount {
  /** Real path. */
  readonly path: string;
  /** `fixed`: it can be neither renamed nor removed. */
  readonly mode: 'rw' | 'ro' | 'fixed';
  /** The device and inode that were found there: `dev:inode`. */
  readonly entry: string;
}

/** The mounts that make these places writable, but neither read-only roots nor guarded files. */
export function mountsOf(writable: readonly string[], roots: Roots): readonly Mount[] {
  const readOnly = allRoots(roots)
    .filter(({ mode }) => mode === 'ro')
    .map(({ real }) => real);
  const places = [
    ...writable.map((path) => ({ path, mode: 'rw' as const })),
    ...readOnly.map((path) => ({ path, mode: 'ro' as const })),
  ].sort(byDepth);
  const guards = roots.guarded.flatMap(entriesOf).filter((path) => isTouched(path, places));
  const around = outermost(guards).flatMap((path) => [
    ...foldersTo(path, places).map((folder) => ({ path: folder, mode: 'fixed' as const })),
    { path, mode: 'ro' as const },
  ]);
  const single = [...new Map(around.map((place) => [place.path, place])).values()];
  return [...places, ...single.sort(byDepth)].flatMap((place) => {
    const entry = entryAt(place.path);
    return entry === null ? [] : [{ ...place, entry }];
  });
}

interface Placed {
  readonly path: string;
  readonly mode: Mount['mode'];
}

function byDepth(one: Placed, other: Placed): number {
  return segmentsOf(one.path).length - segmentsOf(other.path).length;
}

/** The existing part of a guarded place. */
function entriesOf(place: GuardedPlace): readonly string[] {
  const found = orNull(() => {
    const real = realPathOf(place.path);
    if (isWhole(place)) return [real];
    const names = readdirSync(real).filter((name) => isNamed(name, place));
    return names.map((name) => realPathOf(posix.join(real, name)));
  });
  return found ?? [];
}

/** Whether a guarded place, or a file in it, is writable. */
function isTouched(path: string, places: readonly Placed[]): boolean {
  const isWritable = innermost(path, places)?.mode === 'rw';
  return isWritable || places.some((place) => place.mode === 'rw' && isUnder(place.path, path));
}

/** The folders between a writable place and a guarded file: renaming them would move the file. */
function foldersTo(path: string, places: readonly Placed[]): readonly string[] {
  const from = innermost(path, places);
  if (from === null || from.mode !== 'rw') return [];
  const folders: string[] = [];
  for (
    let folder = posix.dirname(path);
    folder !== from.path && isUnder(folder, from.path);
    folder = posix.dirname(folder)
  )
    folders.push(folder);
  return folders;
}

/** The deepest of the sorted places that contains a path. */
function innermost(path: string, places: readonly Placed[]): Placed | null {
  return places.findLast((place) => isUnder(path, place.path)) ?? null;
}

function entryAt(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}
