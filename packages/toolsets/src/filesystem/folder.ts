import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorCode, segmentsOf } from '../paths.js';

/** Linux's, which Node does not name: a handle to a place, for which nothing is opened. */
const O_PATH = 0o10_000_000;

/** A folder held by a handle: whatever happens to the folders above it, a name in it stays a name in it. */
export interface HeldFolder {
  /** A path to be used at once, for something of this name in the folder. */
  at(name: string): string;
  /** A path to the folder itself. */
  readonly self: string;
}

export interface Walk {
  /** Canonical, and real when it was described: a link anywhere on it is an error now. */
  readonly folder: string;
  /** Folders that are created where they do not exist. */
  readonly create: readonly string[];
  readonly descriptors: string;
}

/** Goes to a folder, from handle to handle, following no link, and holds it while `use` runs. */
export async function inFolder<T>(
  { folder, create, descriptors }: Walk,
  use: (held: HeldFolder) => Promise<T>,
): Promise<T> {
  let handle = await openFolder('/');
  try {
    let path = '/';
    for (const segment of segmentsOf(folder)) {
      path = posix.join(path, segment);
      const next = `${descriptors}/${handle.fd}/${segment}`;
      if (create.includes(path)) await createFolder(next);
      const inner = await openFolder(next);
      await handle.close();
      handle = inner;
    }
    const self = `${descriptors}/${handle.fd}`;
    return await use({ self: `${self}/.`, at: (name) => `${self}/${name}` });
  } finally {
    await handle.close();
  }
}

/** Holds a file of a held folder without opening it, whatever it is; a link is held as the link that it is. */
export async function holdEntry(path: string): Promise<FileHandle> {
  return open(path, O_PATH | constants.O_NOFOLLOW);
}

async function openFolder(path: string): Promise<FileHandle> {
  return open(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // Another call may have been first. If it is no folder, opening it fails.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
