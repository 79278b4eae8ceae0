import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { errorCode } from '@ambit/core';

/** A path that is not a regular file. The message has no path. */
export class NotRegularError extends Error {
  override readonly name = 'NotRegularError';
  constructor(
    readonly path: string,
    kind: string,
  ) {
    super(`it is ${kind}, not a regular file`);
  }
}

/** Why a file is not a private one of this user's, or null. */
export function whyNotOwn(found: Stats): string | null {
  return found.isFile() ? whyShared(found) : 'is not a regular file';
}

/** Why another user may change a file or a folder, or null. */
export function whyShared(found: Stats): string | null {
  if (process.getuid !== undefined && found.uid !== process.getuid()) return 'belongs to another user';
  return (found.mode & 0o022) === 0 ? null : 'may be written by others';
}

/** Without O_NONBLOCK, opening a pipe waits for its other end, in a thread that no signal can end. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens a regular file for reading, never waiting; throws `NotRegularError` for everything else. */
export async function openRegular(path: string): Promise<FileHandle> {
  // Checked before it is opened, because opening a device can trigger it.
  requireRegular(path, await stat(path));
  const handle = await open(path, flags).catch((error: unknown) => refuse(path, error));
  try {
    requireRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The first `most` bytes of a regular file. */
export async function readRegular(path: string, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const handle = await openRegular(path);
  try {
    const parts: Buffer[] = [];
    for (let left = most; left > 0; ) {
      const size = Math.min(left, chunk);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, null);
      if (bytesRead === 0) break;
      parts.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return Buffer.concat(parts);
  } finally {
    await handle.close();
  }
}

/** For a message that names the file. */
export async function readNamed(path: string, most?: number): Promise<Buffer> {
  return readRegular(path, most).catch((error: unknown) => {
    throw error instanceof NotRegularError ? new Error(`${path}: ${error.message}`) : error;
  });
}

/** `follow: false` refuses a link. `last` reads from this many bytes before the end. */
export function readRegularSync(
  path: string,
  {
    follow = true,
    most = Number.POSITIVE_INFINITY,
    last = Number.POSITIVE_INFINITY,
  }: { readonly follow?: boolean; readonly most?: number; readonly last?: number } = {},
): Buffer {
  requireRegular(path, statSync(path));
  const descriptor = openedSync(path, follow ? flags : flags | constants.O_NOFOLLOW);
  try {
    const found = fstatSync(descriptor);
    requireRegular(path, found);
    const parts: Buffer[] = [];
    let at = Math.max(0, found.size - last);
    for (let left = most; left > 0; ) {
      // Most files are small, and their size is known: V8 collects its whole heap often where large blocks become garbage.
      const part = Buffer.allocUnsafe(Math.min(left, Math.max(found.size - at, least), chunk));
      const bytesRead = readSync(descriptor, part, 0, part.length, at);
      if (bytesRead === 0) break;
      parts.push(part.subarray(0, bytesRead));
      left -= bytesRead;
      at += bytesRead;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(descriptor);
  }
}

const chunk = 64 * 1024;

/** Bytes for what has no size, as files of `/proc`, and for what is added meanwhile. */
const least = 2048;

function openedSync(path: string, how: number): number {
  try {
    return openSync(path, how);
  } catch (error) {
    return refuse(path, error);
  }
}

/** The path may lead to another file since the check. */
function refuse(path: string, error: unknown): never {
  throw errorCode(error) === 'ENXIO' ? new NotRegularError(path, 'a socket') : error;
}

function requireRegular(path: string, found: Stats): void {
  if (!found.isFile()) throw new NotRegularError(path, kindOf(found));
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  if (found.isSocket()) return 'a socket';
  return found.isBlockDevice() || found.isCharacterDevice() ? 'a device' : 'something else';
}
