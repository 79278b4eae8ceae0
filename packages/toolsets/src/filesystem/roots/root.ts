import { statSync } from 'node:fs';
import type { GuardedPlace } from '../../places/guarded.js';
import { isUnder, plainPath, realPathOf } from '../../places/paths.js';

export interface Root {
  readonly name: string;
  /** It need not exist. */
  readonly folder: string;
  readonly mode: 'ro' | 'rw';
  /** `.pdf`: readable and writable files; all by default. */
  readonly suffixes?: readonly string[];
  readonly max_file_bytes?: number;
  /** Whether outsiders may have written its content. */
  readonly untrusted?: boolean;
  /** No person gave it: its files have the `.outside` names. */
  readonly outside?: boolean;
}

export interface OpenRoot extends Root {
  readonly real: string;
}

export interface Roots {
  readonly list: readonly OpenRoot[];
  /** `by_root`: paths are `ROOT/rest`. `by_path`: they are relative to the only root, or absolute. */
  readonly naming: 'by_root' | 'by_path';
  /** The user's home, as named and as real. */
  readonly homes: readonly string[];
  readonly guarded: readonly GuardedPlace[];
  /** The folder in which the system shows open folders as paths. */
  readonly descriptors: string;
  /** Its restrictions apply too. */
  readonly parent: Roots | null;
}

export interface RootsOptions {
  readonly home?: string;
  readonly guarded?: readonly GuardedPlace[];
  readonly naming?: Roots['naming'];
  readonly descriptors?: string;
  readonly parent?: Roots;
}

export const usualFileBytes = 16_000_000;

/** Opens roots by their real folders. Throws on unusable names and folders, and on two roots of one folder. */
export function openRoots(roots: readonly Root[], options: RootsOptions = {}): Roots {
  const { home, guarded = [], naming = 'by_root', descriptors = '/proc/self/fd', parent = null } = options;
  for (const { name, folder } of roots) {
    if (['', '.', '..'].includes(name) || /[/\0]/.test(name))
      throw new TypeError(`\`${name}\` cannot be the name of a root`);
    if (!folder.startsWith('/') || folder.includes('\0'))
      throw new TypeError(`the folder of root \`${name}\` is not absolute`);
    if (roots.filter((other) => other.name === name).length > 1)
      throw new TypeError(`two roots are called \`${name}\``);
  }
  const list = roots.map((root) => ({
    ...root,
    folder: plainPath(root.folder),
    real: realPathOf(root.folder),
  }));
  requireApart(list);
  return {
    list,
    naming,
    homes: home === undefined ? [] : [...new Set([plainPath(home), realPathOf(home)])],
    guarded,
    descriptors,
    parent,
  };
}

/** Two roots of one folder could disagree. A root inside another one decides alone. */
function requireApart(list: readonly OpenRoot[]): void {
  for (const [index, one] of list.entries()) {
    const other = list.slice(0, index).find((before) => isOneFolder(one, before));
    if (other !== undefined)
      throw new TypeError(`the roots \`${other.name}\` and \`${one.name}\` are one folder`);
  }
}

function isOneFolder(one: OpenRoot, other: OpenRoot): boolean {
  if ([one.folder, one.real].some((path) => path === other.folder || path === other.real)) return true;
  const [own, others] = [one.real, other.real].map((path) => statSync(path, { throwIfNoEntry: false }));
  return own !== undefined && others !== undefined && own.dev === others.dev && own.ino === others.ino;
}

/** The innermost root of a canonical path, and those of the parents. */
export function rootsAt(path: string, { list, parent }: Roots): readonly OpenRoot[] {
  const depths = list.map((root) => depthOf(path, root));
  const deepest = Math.max(0, ...depths);
  const own = list.filter((_, at) => depths[at] === deepest);
  return parent === null ? own : [...own, ...rootsAt(path, parent)];
}

export function isInside(path: string, { list, parent }: Roots): boolean {
  return list.some((root) => depthOf(path, root) >= 0) && (parent === null || isInside(path, parent));
}

/** Whether a path has the plain name: it lies in the roots, and no deciding root is `outside`. */
export function countsAsInside(path: string, roots: Roots): boolean {
  return isInside(path, roots) && rootsAt(path, roots).every(({ outside }) => outside !== true);
}

export function isRootItself(path: string, roots: Roots): boolean {
  return allRoots(roots).some(({ folder, real }) => path === folder || path === real);
}

export function allRoots({ list, parent }: Roots): readonly OpenRoot[] {
  return parent === null ? list : [...list, ...allRoots(parent)];
}

/** -1 if it does not hold the path. */
function depthOf(path: string, { folder, real }: OpenRoot): number {
  const depth = isUnder(path, folder) ? folder.length : -1;
  return real !== folder && isUnder(path, real) ? Math.max(depth, real.length) : depth;
}
