import { statSync } from 'node:fs';
import { posix } from 'node:path';
import type { Capability } from '@ambit/core';
import { isRootItself, type Roots, rootsAt } from '../../../filesystem/root.js';
import { isUnder, realPathOf } from '../../../paths.js';

/** What a command can do at most, whatever it tries. */
export interface Bounds {
  /** Real paths of what it may change, with all that lies in them; everything else is read only. */
  readonly writable: readonly string[];
  readonly has_network: boolean;
}

/** What may be changed: the folders of what was described as changed, or all roots that may be written in. */
export type Writes = 'described' | 'roots';

/** Makes what was approved of a call its bounds. */
export function boundsOf(
  described: readonly Capability[],
  { roots, writes }: { readonly roots: Roots; readonly writes: Writes },
): Bounds {
  const changes = described.filter(({ name }) =>
    ['fs.write', 'fs.delete', 'fs.meta'].some((of) => isUnderName(name, of)),
  );
  // A path that is not known may be any in them.
  const wantsRoots = writes === 'roots' || changes.some(({ path }) => typeof path !== 'string');
  const own = wantsRoots ? roots.list.filter(({ mode }) => mode === 'rw').map(({ real }) => real) : [];
  const writable = [...own, ...changes.flatMap((change) => changedBy(change, roots))];
  return {
    writable: [...new Set(writable)].filter(isThere),
    has_network: described.some(({ name }) => isUnderName(name, 'net')),
  };
}

function isUnderName(name: string, above: string): boolean {
  return name === above || name.startsWith(`${above}.`);
}

/** Where a file is changed its folder is, since most programs write another file and rename it. */
function changedBy({ name, path }: Capability, roots: Roots): readonly string[] {
  if (typeof path !== 'string' || ownPlaces.some((place) => isUnder(path, place))) return [];
  const real = realOrNull(path);
  if (real === null || rootsAt(real, roots).some(({ mode }) => mode === 'ro')) return [];
  const isItself = isRootItself(real, roots) || (isFolder(real) && isUnderName(name, 'fs.write'));
  const folder = isItself ? real : innermostFolder(posix.dirname(real));
  if (folder !== '/') return [folder];
  return isThere(real) && real !== '/' ? [real] : [];
}

/** What a command has of its own under isolation. */
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

function realOrNull(path: string): string | null {
  try {
    return realPathOf(path);
  } catch {
    return null;
  }
}
