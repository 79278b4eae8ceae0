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

/** Searches a real folder and its parents, as git does. Null if it finds none; a text says why it may find another. */
export function findRepository(folder: string): Repository | string | null {
  for (const at of foldersUp(folder)) {
    const found = lookIn(at);
    if (found !== null) return found;
  }
  return null;
}

function lookIn(folder: string): Repository | string | null {
  const name = resolve(folder, '.git');
  const kind = kindOf(name);
  if (kind !== 'none') {
    const real = kind === 'folder' ? realOf(name) : kind === 'file' ? folderNamedIn(name) : null;
    return (real && openFolder(real, folder)) ?? odd(name);
  }
  const isBare = ['HEAD', 'objects'].every((each) => kindOf(resolve(folder, each)) !== 'none');
  return isBare ? (openFolder(folder, null) ?? odd(folder)) : null;
}

/** Null if it is not a git folder. */
function openFolder(folder: string, tree: string | null): Repository | null {
  const shared = smallText(resolve(folder, 'commondir'), mostBytes) ?? null;
  const common = shared === null ? folder : realOf(resolve(folder, shared.trimEnd()));
  const head = smallText(resolve(folder, 'HEAD'), mostBytes) ?? null;
  if (common === null || head === null || !/^(?:ref: refs\/[^\s]+|[0-9a-f]{40})\n$/.test(head)) return null;
  const isWhole = ['objects', 'refs'].every((each) => kindOf(resolve(common, each)) === 'folder');
  return isWhole ? { own: folder, common, tree } : null;
}

/** The `.git` of a work tree or a submodule is a file that names the folder. */
function folderNamedIn(file: string): string | null {
  const path = /^gitdir: (.+)\n$/.exec(smallText(file, mostBytes) ?? '')?.[1];
  return path === undefined ? null : realOf(resolve(dirname(file), path));
}

function odd(name: string): string {
  return `\`${name}\` is not a plain git folder`;
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
