import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { foldersUp, orNull } from '@ambit/core';
import { smallText } from './read-files.js';

/** Git's folders, as real paths. */
export interface Repository {
  /** HEAD and the index of this work tree. */
  readonly own: string;
  /** What all work trees share: objects, references, settings, hooks. */
  readonly common: string;
  /** The files that are worked on; null for a bare repository, and inside the git folder. */
  readonly tree: string | null;
}

/** `none`: git finds no repository. `unknown`: git may find another repository. */
export type Found =
  | { readonly kind: 'found'; readonly repository: Repository }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string };

const none: Found = { kind: 'none' };

/** Searches a real folder and its parents, as git does. */
export function findRepository(folder: string): Found {
  for (const at of foldersUp(folder)) {
    const found = lookIn(at);
    if (found.kind !== 'none') return found;
  }
  return none;
}

function lookIn(folder: string): Found {
  const name = resolve(folder, '.git');
  const kind = kindOf(name);
  if (kind === 'other') return odd(name);
  if (kind === 'file') return orOdd(followFile(name, folder), name);
  if (kind === 'folder') {
    const real = realOf(name);
    return real === null ? odd(name) : orOdd(openFolder(real, folder), name);
  }
  if (kindOf(resolve(folder, 'HEAD')) === 'none' || kindOf(resolve(folder, 'objects')) === 'none')
    return none;
  return orOdd(openFolder(folder, null), folder);
}

function openFolder(folder: string, tree: string | null): Found {
  const shared = smallText(resolve(folder, 'commondir'), mostBytes) ?? null;
  const common = shared === null ? folder : realOf(resolve(folder, shared.trimEnd()));
  const head = smallText(resolve(folder, 'HEAD'), mostBytes) ?? null;
  if (common === null || head === null || !/^(?:ref: refs\/[^\s]+|[0-9a-f]{40})\n$/.test(head)) return none;
  if (kindOf(resolve(common, 'objects')) !== 'folder' || kindOf(resolve(common, 'refs')) !== 'folder')
    return none;
  return { kind: 'found', repository: { own: folder, common, tree } };
}

/** The `.git` of a work tree or a submodule is a file that names the folder. */
function followFile(file: string, tree: string | null): Found {
  const path = /^gitdir: (.+)\n$/.exec(smallText(file, mostBytes) ?? '')?.[1];
  const real = path === undefined ? null : realOf(resolve(dirname(file), path));
  return real === null ? none : openFolder(real, tree);
}

function orOdd(found: Found, name: string): Found {
  return found.kind === 'none' ? odd(name) : found;
}

function odd(name: string): Found {
  return { kind: 'unknown', why: `\`${name}\` is not a plain git folder` };
}

function kindOf(path: string): 'file' | 'folder' | 'other' | 'none' {
  const found = orNull(() => lstatSync(path, { throwIfNoEntry: false }) && statSync(path));
  if (found === undefined) return 'none';
  if (found?.isFile() === true) return 'file';
  return found?.isDirectory() === true ? 'folder' : 'other';
}

const mostBytes = 65_536;

function realOf(path: string): string | null {
  return orNull(() => realpathSync(path));
}
