import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, printable } from '@ambit/core';
import { LogError } from './log-error.js';
import { NotRegularError, openRegular, whyNotOwn } from './regular-file.js';

const { O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Whether the file must exist, may be missing, or must be new. */
type Presence = 'there' | 'any' | 'new';

const flags: Readonly<Record<Presence, number>> = { there: 0, any: O_CREAT, new: O_CREAT | O_EXCL };

/** Makes a folder and its missing parents. Node's `recursive` never ends below /proc. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const error = await attempt(path, mode);
  if (error === null) return;
  if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
  await makeFolder(dirname(path), mode);
  const again = await attempt(path, mode);
  if (again !== null) throw again;
}

/** Why the folder is unusable now, or null. */
async function attempt(path: string, mode: number): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path, { mode });
    return null;
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? null : (error as NodeJS.ErrnoException);
  }
}

/** Opens or creates a private file to append to. Refuses links and files that others own or may write. */
export async function openToAppend(file: string, presence: Presence = 'any'): Promise<FileHandle> {
  const handle = await openHandle(file, presence);
  try {
    const found = await handle.stat();
    const wrong = whyNotOwn(found);
    if (wrong !== null) throw unsafe(file, wrong);
    // A new file survives a power cut only when its folder is synced too.
    if (found.size === 0) await syncFolder(dirname(file));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens an existing regular file; refuses others. */
export async function openForReading(file: string): Promise<FileHandle> {
  try {
    return await openRegular(file);
  } catch (error) {
    throw error instanceof NotRegularError ? unsafe(file, 'is not a regular file') : error;
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openHandle(file: string, presence: Presence): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK, opening a pipe waits for its reader.
    return await open(file, O_RDWR | flags[presence] | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ELOOP') throw unsafe(file, 'is a symbolic link');
    if (code === 'EISDIR' || code === 'ENXIO') throw unsafe(file, 'is not a regular file');
    throw error;
  }
}

function unsafe(file: string, wrong: string): LogError {
  return new LogError('UNSAFE_FILE', `${printable(file)} ${wrong}`, { file });
}
