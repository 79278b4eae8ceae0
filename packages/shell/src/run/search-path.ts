import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isUnder, plainPath, type Roots } from '@ambit/toolsets';

/** Where programs are looked for, where nothing else is asked for. */
export const usualSearchPath: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

/** The folders among these in which programs are looked for: those that are there, and that no call may put a program into. */
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
  // Whom nothing is refused anyway could replace bash itself.
  return inRoot || (process.geteuid?.() !== 0 && maySystemWrite(folder));
}

function maySystemWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
