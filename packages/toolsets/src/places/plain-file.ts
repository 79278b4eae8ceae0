import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { orNull } from '@ambit/core';

const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens a regular file without waiting; throws for anything else. */
export function openPlain(path: string, { follow = true }: { readonly follow?: boolean } = {}): number {
  // Checked before it is opened: opening a device can have an effect.
  requirePlain(path, follow ? statSync(path) : lstatSync(path));
  const file = openSync(path, follow ? flags : flags | constants.O_NOFOLLOW);
  try {
    requirePlain(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** The bytes of a regular file of at most `most` bytes; throws for anything else. */
export function readPlain(path: string, most = Number.POSITIVE_INFINITY): Buffer {
  return whileOpen(openPlain(path), (file) => {
    if (fstatSync(file).size > most) throw new Error(`${path} holds more than ${most} bytes`);
    return readFileSync(file);
  });
}

/** The first bytes of a regular file, at most `length`; throws for anything else. */
export function startOfPlain(path: string, length: number): Buffer {
  return whileOpen(openPlain(path), (file) => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes));
  });
}

/** SHA-256 in hex; null for more than `most` bytes, or an unreadable file. */
export function digestOfPlain(
  path: string,
  { most, follow = true }: { readonly most: number; readonly follow?: boolean },
): string | null {
  const digest = (file: number) => (fstatSync(file).size > most ? null : digestOf(file, most));
  return orNull(() => whileOpen(openPlain(path, { follow }), digest));
}

function whileOpen<Result>(file: number, use: (file: number) => Result): Result {
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function digestOf(file: number, most: number): string | null {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(65_536);
  for (let total = 0; total <= most; ) {
    const count = readSync(file, chunk);
    if (count === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, count));
    total += count;
  }
  return null;
}

function requirePlain(path: string, found: { isFile(): boolean }): void {
  if (!found.isFile()) throw new Error(`${path} is not a regular file`);
}
