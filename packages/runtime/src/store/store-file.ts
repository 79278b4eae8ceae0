import { chmodSync, closeSync, constants, fsyncSync, lstatSync, openSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@ambit/core';
import { StoreError } from './store.js';

const { O_RDWR, O_CREAT, O_EXCL, O_RDONLY } = constants;

/**
 * Creates the file if it is missing, private to its owner. Throws on a link, and on a file that others own or may
 * write.
 */
export function prepareFile(file: string): Stats {
  const status = statusOf(file) ?? made(file);
  for (const [name, found] of [
    [file, status],
    ...['-wal', '-shm'].map((ending) => [`${file}${ending}`, statusOf(`${file}${ending}`)] as const),
  ] as const)
    if (found !== null) requireOwn(name, found);
  return status;
}

/** Never opens the file: closing it would drop this process's locks. */
export function statusOf(file: string): Stats | null {
  return lstatSync(file, { throwIfNoEntry: false }) ?? null;
}

function made(file: string): Stats {
  try {
    closeSync(openSync(file, O_RDWR | O_CREAT | O_EXCL, 0o600));
    // A new file survives a power cut only when its folder is synced too.
    const folder = openSync(dirname(file), O_RDONLY);
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw failed(file, error);
  }
  const status = statusOf(file);
  if (status === null) throw new StoreError('FAILED', `${file} was removed while it was created`);
  return status;
}

function requireOwn(file: string, status: Stats): void {
  const wrong = status.isSymbolicLink()
    ? 'is a symbolic link'
    : !status.isFile()
      ? 'is not a regular file'
      : process.getuid !== undefined && status.uid !== process.getuid()
        ? 'belongs to another user'
        : (status.mode & 0o022) !== 0
          ? 'may be written by others'
          : null;
  if (wrong !== null) throw new StoreError('UNSAFE_FILE', `${file} ${wrong}`);
  if ((status.mode & 0o777) === 0o600) return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // The database takes the files beside it away when the last process closes it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw failed(file, error);
  }
}

function failed(file: string, error: unknown): StoreError {
  return new StoreError('FAILED', `${file}: ${messageOf(error)}`);
}
