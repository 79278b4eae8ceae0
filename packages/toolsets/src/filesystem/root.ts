import type { GuardedPlace } from '../guarded.js';
import { isUnder, plainPath, realPathOf } from '../paths.js';

/** A folder that tools may work in. */
export interface Root {
  /** What paths to it begin with, `NAME/rest`. */
  readonly name: string;
  /** Absolute. It need not exist: the first write into it creates it. */
  readonly folder: string;
  readonly mode: 'ro' | 'rw';
  /** `.pdf`: the files that can be read or written; all of them where it is left out. Compared exactly. */
  readonly suffixes?: readonly string[];
  readonly max_file_bytes?: number;
  /** Whether outsiders may have written what lies in it. */
  readonly untrusted?: boolean;
}

export interface OpenRoot extends Root {
  /** The folder's real path when the roots were opened. */
  readonly real: string;
}

/** Roots made real, and what else describing a path wants to know. */
export interface Roots {
  readonly list: readonly OpenRoot[];
  /** `by_root`: paths are `ROOT/rest`. `by_path`: they are relative to the only root, or absolute. */
  readonly naming: 'by_root' | 'by_path';
  /** The user's home, as named and as real. */
  readonly homes: readonly string[];
  readonly guarded: readonly GuardedPlace[];
  /** Where the system shows open folders as paths. */
  readonly descriptors: string;
}

export interface RootsOptions {
  readonly home?: string;
  readonly guarded?: readonly GuardedPlace[];
  readonly naming?: Roots['naming'];
  readonly descriptors?: string;
}

/** What a file may hold in a root that sets no limit of its own. */
export const usualFileBytes = 16_000_000;

/** Makes the roots' folders real. Throws on names and folders that no path could mean, and where a folder cannot be looked at. */
export function openRoots(roots: readonly Root[], options: RootsOptions = {}): Roots {
  const { home, guarded = [], naming = 'by_root', descriptors = '/proc/self/fd' } = options;
  for (const { name, folder } of roots) {
    if (['', '.', '..'].includes(name) || /[/\0]/.test(name))
      throw new TypeError(`\`${name}\` cannot be the name of a root`);
    if (!folder.startsWith('/') || folder.includes('\0'))
      throw new TypeError(`the folder of root \`${name}\` is not absolute`);
    if (roots.filter((other) => other.name === name).length > 1)
      throw new TypeError(`two roots are called \`${name}\``);
  }
  return {
    list: roots.map((root) => ({ ...root, folder: plainPath(root.folder), real: realPathOf(root.folder) })),
    naming,
    homes: home === undefined ? [] : [...new Set([plainPath(home), realPathOf(home)])],
    guarded,
    descriptors,
  };
}

/** The roots that say what may be done at a canonical path: of those that hold it the innermost, several where they are one folder. */
export function rootsAt(path: string, { list }: Roots): readonly OpenRoot[] {
  const holding = list
    .map((root) => ({ root, depth: depthOf(path, root) }))
    .filter(({ depth }) => depth >= 0);
  const deepest = Math.max(...holding.map(({ depth }) => depth));
  return holding.filter(({ depth }) => depth === deepest).map(({ root }) => root);
}

export function isInside(path: string, roots: Roots): boolean {
  return rootsAt(path, roots).length > 0;
}

export function isRootItself(path: string, { list }: Roots): boolean {
  return list.some(({ folder, real }) => path === folder || path === real);
}

/** The length of the root's folder where it holds the path, else -1. */
function depthOf(path: string, { folder, real }: OpenRoot): number {
  return Math.max(...[folder, real].map((own) => (isUnder(path, own) ? own.length : -1)));
}
