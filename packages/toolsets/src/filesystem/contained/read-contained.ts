import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, read as readBytes, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { changed, FileError } from '../roots/failure.js';
import { type HeldFolder, holdEntry, inFolder } from '../roots/folder.js';
import type { Place } from '../roots/place.js';
import type { Roots } from '../roots/root.js';

export interface Contained {
  readonly bytes: Buffer;
  /** Hex. */
  readonly sha256: string;
  /** Of the file that was read. */
  readonly stat: Stats;
}

/** Reads a file without following links. Throws if a link replaced it, it is not regular, or it exceeds `limit`. */
export async function readContained(
  place: Place,
  { roots, limit }: { readonly roots: Roots; readonly limit: number },
): Promise<Contained> {
  return inFolderOf(place, roots, (held, file) => readHeld(held, file, limit));
}

/** Reads some bytes of it, and says how many there are in all. */
export async function readRange(
  place: Place,
  { roots, from, count }: { readonly roots: Roots; readonly from: number; readonly count: number },
): Promise<{ readonly bytes: Buffer; readonly total: number }> {
  return inFolderOf(place, roots, (held, named) =>
    withFile(held, named, async (file) => {
      const bytes = Buffer.alloc(count);
      let read = 0;
      for (let more = 1; more > 0 && read < count; read += more)
        more = (await readAt(file, bytes, read, count - read, from + read)).bytesRead;
      return { bytes: bytes.subarray(0, read), total: fstatSync(file).size };
    }),
  );
}

interface NamedFile {
  readonly name: string;
  readonly shown: string;
}

async function inFolderOf<T>(
  { real, shown, lost }: Place,
  { descriptors }: Roots,
  use: (held: HeldFolder, file: NamedFile) => Promise<T>,
): Promise<T> {
  if (real === null) throw new FileError(`\`${shown}\`: ${lost ?? 'not a path'}`);
  const walk = { folder: posix.dirname(real), descriptors };
  return inFolder(walk, (held) => use(held, { name: posix.basename(real), shown }));
}

/** The same for a file of a folder that is held already. */
export async function readHeld(held: HeldFolder, named: NamedFile, limit: number): Promise<Contained> {
  return withFile(held, named, async (file) => {
    const bytes = await readUpTo(file, limit);
    if (bytes === null)
      throw new FileError(`\`${named.shown}\` holds more than ${limit} bytes, the most that may be read`);
    return { bytes, sha256: hash('sha256', bytes), stat: fstatSync(file) };
  });
}

const readAt = promisify(readBytes);

/** Synchronous: a search reads thousands of files, and each turn of the event loop takes longer. */
async function withFile<T>(
  held: HeldFolder,
  { name, shown }: NamedFile,
  use: (file: number) => Promise<T>,
): Promise<T> {
  const entry = holdEntry(held.at(name));
  try {
    // Checked before it is opened: opening a device or a pipe may have an effect, or wait.
    if (!fstatSync(entry).isFile()) throw changed(shown);
    // Opens the held file by its descriptor, so it is the file that was checked.
    const file = openSync(`${held.descriptors}/${entry}`, constants.O_RDONLY | constants.O_NOCTTY);
    try {
      return await use(file);
    } finally {
      closeSync(file);
    }
  } finally {
    closeSync(entry);
  }
}

/** All bytes, or null for more than `limit`. Never holds more than one chunk above it. */
async function readUpTo(file: number, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let total = 0;
  // Of a small file, one chunk with a byte to spare holds all.
  let size = Math.min(fstatSync(file).size + 1, 1 << 20);
  for (;;) {
    const chunk = Buffer.alloc(Math.min(size, limit + 1 - total));
    const { bytesRead } = await readAt(file, chunk, 0, chunk.length, total);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    if (total > limit) return null;
    // The end is probably reached: no more bytes are expected.
    size = bytesRead < chunk.length ? 4096 : 1 << 20;
  }
}
