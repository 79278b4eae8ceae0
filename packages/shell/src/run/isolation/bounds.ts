import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { type Capability, fileSetOf, groupedBy, isOpaque, isWithin, orNull } from '@ambit/core';
import { isRootItself, isUnder, type Roots, realPathOf, rootsAt, segmentsOf } from '@ambit/toolsets';
import { outermost } from '../../files/listing.js';

export interface Bounds {
  /** Real paths that the command may change, with all below them; everything else is read only. */
  readonly writable: readonly string[];
  readonly has_network: boolean;
}

/** What may be changed: the folders of described changes, or all writable roots. */
export type Writes = 'described' | 'roots';

/** Derives the limits of a call from what was approved. An opaque command may write in all writable roots. */
export function boundsOf(
  described: readonly Capability[],
  { roots, writes }: { readonly roots: Roots; readonly writes: Writes },
): Bounds {
  const changes = described.filter(({ name }) =>
    ['fs.write', 'fs.delete', 'fs.meta'].some((of) => isWithin(name, of)),
  );
  const paths = changes.map(pathsIn);
  const isUnknown = described.some(({ name }) => isOpaque(name));
  // A connection, or for known programs any network capability.
  const network = isUnknown ? 'net.connect' : 'net';
  const wantsRoots = writes === 'roots' || isUnknown || paths.some(({ isAnywhere }) => isAnywhere);
  const own = wantsRoots ? roots.list.filter(({ mode }) => mode === 'rw').map(({ real }) => real) : [];
  const changed = paths.flatMap(({ name, known, under }) => [
    ...foldersOf(name, known, roots),
    ...(under === null ? [] : folderIn(under, roots)),
  ]);
  return {
    writable: fewOf([...own, ...changed].filter(isThere), roots),
    has_network: described.some(({ name }) => isWithin(name, network)),
  };
}

interface Paths {
  readonly name: string;
  readonly known: readonly string[];
  /** The folder that contains the unknown ones. */
  readonly under: string | null;
  /** Whether the capability may name other paths at unknown places. */
  readonly isAnywhere: boolean;
}

/** The paths that a capability names. */
export function pathsIn({ name, path }: Capability): Paths {
  if (typeof path === 'string') return { name, known: [path], under: null, isAnywhere: false };
  const set = fileSetOf(path);
  if (set === null) return { name, known: [], under: null, isAnywhere: true };
  const { paths, open = false, under = null } = set;
  return { name, known: paths, under, isAnywhere: open && under === null };
}

/** The most writable mounts. */
const mostPlaces = 64;

/** The places without those inside others. If they are too many, the deepest become their folders, except for roots. */
function fewOf(places: readonly string[], roots: Roots): readonly string[] {
  const few = outermost([...places].sort((one, other) => one.length - other.length));
  const above = few.filter((place) => !isRootItself(place, roots) && posix.dirname(place) !== '/');
  if (few.length <= mostPlaces || above.length === 0) return few;
  const deepest = Math.max(...above.map((place) => segmentsOf(place).length));
  const isReplaced = (place: string) => above.includes(place) && segmentsOf(place).length === deepest;
  return fewOf(
    few.map((place) => (isReplaced(place) ? posix.dirname(place) : place)),
    roots,
  );
}

/** The folders in which these files are changed; each folder is checked once. */
function foldersOf(name: string, paths: readonly string[], roots: Roots): readonly string[] {
  return [...groupedBy(paths, (path) => posix.dirname(path)).values()].flatMap((own) => [
    ...new Set(own.flatMap((path) => changedBy(name, path, roots))),
  ]);
}

/** A changed file makes its folder writable, because most programs write another file and rename it. */
function changedBy(name: string, path: string, roots: Roots): readonly string[] {
  if (ownPlaces.some((place) => isUnder(path, place))) return [];
  const real = orNull(() => realPathOf(path));
  if (real === null || rootsAt(real, roots).some(({ mode }) => mode === 'ro')) return [];
  const isItself = isRootItself(real, roots) || (isFolder(real) && isWithin(name, 'fs.write'));
  const folder = isItself ? real : innermostFolder(posix.dirname(real));
  if (folder !== '/') return [folder];
  return isThere(real) && real !== '/' ? [real] : [];
}

/** A folder with changed files of unknown names, or its innermost existing parent. */
function folderIn(folder: string, roots: Roots): readonly string[] {
  const real = ownPlaces.some((place) => isUnder(folder, place)) ? null : orNull(() => realPathOf(folder));
  if (real === null || rootsAt(real, roots).some(({ mode }) => mode === 'ro')) return [];
  const innermost = innermostFolder(real);
  return innermost === '/' ? [] : [innermost];
}

/** The private resources of a command under isolation. */
const ownPlaces = ['/dev', '/proc', '/sys'];

function innermostFolder(path: string): string {
  return isFolder(path) ? path : innermostFolder(posix.dirname(path));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
