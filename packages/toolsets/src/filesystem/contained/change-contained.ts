import { closeSync, fstatSync } from 'node:fs';
import { link, lstat, unlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { changed } from '../roots/failure.js';
import { type HeldFolder, holdEntry, inFolder } from '../roots/folder.js';
import type { FilePlace, RealPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { readHeld } from './read-contained.js';
import { isSame, isUnchanged, lacksHardLinks, writeHeld } from './write-contained.js';

/** Removes the file that was found at a place; throws if another file now has its name. */
export async function deleteContained(place: FilePlace, { descriptors }: Roots): Promise<void> {
  const walk = { folder: posix.dirname(place.real), descriptors };
  await inFolder(walk, (held) => whileHeld(held, place, () => deleteHeld(held, place)));
}

export interface Move {
  readonly from: FilePlace;
  readonly to: RealPlace;
  readonly roots: Roots;
  readonly limit: number;
}

/** Moves a file to a new name; throws if the name exists. */
export async function moveContained({ from, to, roots, limit }: Move): Promise<void> {
  const { descriptors } = roots;
  await inFolder({ folder: posix.dirname(from.real), descriptors }, (source) =>
    inFolder({ folder: posix.dirname(to.real), create: to.missing, descriptors }, (target) =>
      whileHeld(source, from, () => moveHeld({ source, target, from, name: posix.basename(to.real), limit })),
    ),
  );
}

interface HeldMove {
  readonly source: HeldFolder;
  readonly target: HeldFolder;
  readonly from: FilePlace;
  readonly name: string;
  readonly limit: number;
}

async function moveHeld(move: HeldMove): Promise<void> {
  const { source, target, from, name } = move;
  try {
    await link(source.at(posix.basename(from.real)), target.at(name));
  } catch (error) {
    if (!lacksHardLinks(error)) throw error;
    return copyThenDelete(move);
  }
  // The linked file must be the described one, or the link is removed: a link may have been swapped in.
  if (!isSame(await lstat(target.at(name)), from.stat)) {
    await unlink(target.at(name));
    throw changed(from.shown);
  }
  await deleteHeld(source, from);
}

/** A move to another file system, or on one without hard links. */
export async function copyThenDelete({ source, target, from, name, limit }: HeldMove): Promise<void> {
  const { shown } = from;
  const { bytes, stat } = await readHeld(source, { name: posix.basename(from.real), shown }, limit);
  if (!isUnchanged(stat, from.stat)) throw changed(shown);
  await writeHeld(target, { name, shown, bytes, replaces: null });
  await deleteHeld(source, from);
}

/** Runs `work` with the file open, so its inode number cannot be reused meanwhile. */
async function whileHeld(held: HeldFolder, place: FilePlace, work: () => Promise<void>): Promise<void> {
  const entry = holdEntry(held.at(posix.basename(place.real)));
  try {
    if (!isUnchanged(fstatSync(entry), place.stat)) throw changed(place.shown);
    await work();
  } finally {
    closeSync(entry);
  }
}

async function deleteHeld(held: HeldFolder, { real, stat, shown }: FilePlace): Promise<void> {
  const path = held.at(posix.basename(real));
  if (!isSame(await lstat(path), stat)) throw changed(shown);
  await unlink(path);
}
