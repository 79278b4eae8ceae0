import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { stateOf } from '@ambit/audit';
import { errorCode, orNull } from '@ambit/core';

/** Bytes. */
export const longest = 64_000_000;

/** With links resolved; unchanged if the system finds nothing. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Changes whenever a path is written or replaced. Synchronous: faster than a thread. */
export function markOf(path: string): string {
  try {
    return stateOf(path, statSync);
  } catch (error) {
    return errorCode(error) ?? 'unknown';
  }
}

/** Whether this user could write the file. */
export function isOwn(path: string): boolean {
  const owner = orNull(() => {
    accessSync(path, constants.W_OK);
    return statSync(path).uid;
  });
  return owner !== null && owner === process.getuid?.();
}

/** Whether a folder belongs to this user, and no other user may write it. */
export function isPrivate(folder: string): boolean {
  const status = lstatSync(folder);
  return status.isDirectory() && status.uid === process.getuid?.() && (status.mode & 0o022) === 0;
}

/** A private regular file of this user. */
export function readOwn(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    const isUsable = status.isFile() && status.uid === process.getuid?.() && (status.mode & 0o022) === 0;
    if (!isUsable || status.nlink !== 1 || status.size > longest)
      throw new Error('this is not a file of this user alone');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
