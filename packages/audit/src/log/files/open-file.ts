import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { printable } from '@ambit/core';
import { LogError, systemCodeOf } from './log-error.js';
import { makeFolder } from './make-folder.js';
import { NotRegularError, openRegular } from './regular-file.js';

const { O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Whether the file must exist, may be missing, or must be new. */
type Presence = 'there' | 'any' | 'new';

const flags: Readonly<Record<Presence, number>> = { there: 0, any: O_CREAT, new: O_CREAT | O_EXCL };

/** With access for its owner only. */
export async function createFolder(file: string): Promise<void> {
  await makeFolder(dirname(file), 0o700);
}

/** Opens or creates a private file to append to. Refuses links and files that others own or may write. */
export async function openToAppend(file: string, presence: Presence = 'any'): Promise<FileHandle> {
  const handle = await opened(file, presence);
  try {
    const stat = await handle.stat();
    const wrong = !stat.isFile()
      ? 'is not a regular file'
      : process.getuid !== undefined && stat.uid !== process.getuid()
        ? 'belongs to another user'
        : (stat.mode & 0o022) !== 0
          ? 'may be written by others'
          : null;
    if (wrong !== null) throw unsafe(file, wrong);
    // A new file survives a power cut only when its folder is synced too.
    if (stat.size === 0) await syncFolder(dirname(file));
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

async function opened(file: string, presence: Presence): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK, opening a pipe waits for its reader.
    return await open(file, O_RDWR | flags[presence] | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ELOOP') throw unsafe(file, 'is a symbolic link');
    if (code === 'EISDIR' || code === 'ENXIO') throw unsafe(file, 'is not a regular file');
    throw error;
  }
}

function unsafe(file: string, wrong: string): LogError {
  return new LogError('UNSAFE_FILE', `${printable(file)} ${wrong}`, { file });
}
