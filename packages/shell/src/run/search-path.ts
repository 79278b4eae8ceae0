import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { orNull } from '@ambit/core';
import { isUnder, plainPath, type Roots } from '@ambit/toolsets';

export const usualSearchPath: readonly string[] =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'.split(':');

/** The usable folders of a search path: existing ones that no call may write. */
export function searchPathOf(folders: readonly string[], roots: Roots): readonly string[] {
  return folders.filter((folder) => isFolder(folder) && !isWritable(folder, roots));
}

function isFolder(folder: string): boolean {
  if (!folder.startsWith('/') || folder.includes(':')) return false;
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isWritable(folder: string, { list }: Roots): boolean {
  const paths = [plainPath(folder), realpathSync(folder)];
  const inRoot = list.some(
    ({ mode, folder: named, real }) =>
      mode === 'rw' && paths.some((path) => isUnder(path, named) || isUnder(path, real)),
  );
  // A user with full rights could replace bash itself.
  const mayWrite = () => orNull(() => accessSync(folder, constants.W_OK)) !== null;
  return inRoot || (process.geteuid?.() !== 0 && mayWrite());
}
