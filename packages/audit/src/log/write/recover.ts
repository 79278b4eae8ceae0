import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '@ambit/core';
import { syncFolder } from '../files/open-file.js';

/** The partial last line of a killed writer, and its new place. */
export interface Recovered {
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

/** Moves the bytes after `offset` durably to `FILE.torn-N`, then cuts them off. */
export async function setAside(
  file: string,
  handle: FileHandle,
  torn: { readonly line: number; readonly offset: number; readonly bytes: number },
): Promise<Recovered> {
  const bytes = Buffer.alloc(torn.bytes);
  await handle.read(bytes, 0, bytes.length, torn.offset);
  const aside = await createAside(file);
  try {
    await aside.handle.writeFile(bytes);
    await aside.handle.datasync();
  } catch (error) {
    // On a full disk, each try would leave a file.
    await rm(aside.path);
    throw error;
  } finally {
    await aside.handle.close();
  }
  await syncFolder(dirname(file));
  await handle.truncate(torn.offset);
  await handle.datasync();
  return { file: aside.path, line: torn.line, bytes: torn.bytes };
}

/** Moves a file durably to `FILE.torn-N`. */
export async function setFileAside(file: string): Promise<Recovered> {
  const { path, handle } = await createAside(file);
  await handle.close();
  await rename(file, path);
  await syncFolder(dirname(file));
  return { file: path, line: 1, bytes: (await stat(path)).size };
}

async function createAside(file: string): Promise<{ path: string; handle: FileHandle }> {
  for (let number = 1; ; number += 1) {
    const path = `${file}.torn-${number}`;
    try {
      return { path, handle: await open(path, 'wx', 0o600) };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
