import { closeSync, constants, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorCode } from '@ambit/core';
import { segmentsOf } from '../../places/paths.js';

/** A Linux flag that Node does not name: a handle to a place without opening it. */
const O_PATH = 0o10_000_000;

export interface HeldFolder {
  /** A path to be used at once, for something of this name in the folder. */
  at(name: string): string;
  /** A path to the folder itself. */
  readonly self: string;
  readonly descriptors: string;
}

export interface Walk {
  /** Canonical and real: a link on the way is an error. */
  readonly folder: string;
  /** Folders that are created if they are missing. */
  readonly create?: readonly string[];
  readonly descriptors: string;
}

/** Goes from handle to handle, following no link, and holds the folder while `use` runs. */
export async function inFolder<T>(
  { folder, create = [], descriptors }: Walk,
  use: (held: HeldFolder) => Promise<T>,
): Promise<T> {
  let handle = openFolder('/');
  try {
    let path = '/';
    for (const segment of segmentsOf(folder)) {
      path = posix.join(path, segment);
      const next = `${descriptors}/${handle}/${segment}`;
      if (create.includes(path)) await createFolder(next);
      const inner = openFolder(next);
      closeSync(handle);
      handle = inner;
    }
    const self = `${descriptors}/${handle}`;
    return await use({ descriptors, self: `${self}/.`, at: (name) => `${self}/${name}` });
  } finally {
    closeSync(handle);
  }
}

/** Holds a file or a link of any kind without opening it. */
export function holdEntry(path: string): number {
  return openSync(path, O_PATH | constants.O_NOFOLLOW);
}

/** Synchronous: a search visits thousands of folders, and a turn of the event loop takes longer. */
function openFolder(path: string): number {
  return openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // Another call may have created it. If it is not a folder, opening it fails.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
