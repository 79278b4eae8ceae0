import { lstatSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { hasAllowedSuffix } from '../roots/access.js';
import { inFolder } from '../roots/folder.js';
import { placeBelow, type RealPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';

export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly bytes?: number;
  /** A folder whose content is missing in a list. */
  readonly unreadable?: true;
}

/** The most folders that one call lists. */
export const mostFolders = 10_000;

/** All folders below one, sorted, without links and the names in `left_out`. Stops one folder beyond the limit. */
export async function foldersBelow(
  top: RealPlace,
  left_out: (name: string) => boolean = () => false,
): Promise<readonly RealPlace[]> {
  const found: RealPlace[] = [];
  const open = [top];
  for (
    let folder = open.shift();
    folder !== undefined && found.length <= mostFolders;
    folder = open.shift()
  ) {
    const inner = (await foldersIn(folder)).filter(({ real }) => !left_out(posix.basename(real)));
    found.push(...inner);
    open.push(...inner);
  }
  return found.slice(0, mostFolders + 1);
}

/** The content of a folder, as far as its roots show files. Follows no link, on the way or in it. */
export async function entriesOf(folder: RealPlace, roots: Roots): Promise<readonly Entry[]> {
  return inFolder({ folder: folder.real, descriptors: roots.descriptors }, async (held) => {
    const entries: Entry[] = [];
    for (const name of await readdir(held.self)) {
      const stat = statOf(held.at(name));
      if (stat === null || !isSayable(name)) continue;
      const { shown, real } = placeBelow(folder, name);
      if (stat.isDirectory()) entries.push({ path: shown, kind: 'folder' });
      else if (!hasAllowedSuffix(real, roots)) continue;
      else if (stat.isFile()) entries.push({ path: shown, kind: 'file', bytes: stat.size });
      else entries.push({ path: shown, kind: stat.isSymbolicLink() ? 'link' : 'other' });
    }
    return entries;
  });
}

/** Synchronous: a turn of the event loop for each of many files would take longer than the check. */
function statOf(path: string): Stats | null {
  return orNull(() => lstatSync(path));
}

async function foldersIn(folder: RealPlace): Promise<readonly RealPlace[]> {
  // The description of an unreadable folder ends there, and so does its list.
  const entries = await readdir(folder.real, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() && isSayable(entry.name))
    .map(({ name }) => name);
  return names.sort().flatMap((name) => {
    const below = placeBelow(folder, name);
    const stat = statOf(below.real);
    return stat?.isDirectory() === true ? [{ ...folder, ...below, stat }] : [];
  });
}

/** A name that is not UTF-8 cannot be expressed, so it can be neither described nor requested. */
function isSayable(name: string): boolean {
  return !name.includes('\ufffd');
}
