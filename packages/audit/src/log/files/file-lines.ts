import type { FileHandle } from 'node:fs/promises';
import { maxLineBytes } from '../line/line.js';

/** Whole lines, read together, or the rest after the last of them. */
export interface FileChunk {
  /** Of its first byte. */
  readonly offset: number;
  /** Ends with a line feed if `whole`; valid until the next chunk is requested. */
  readonly bytes: Buffer;
  readonly whole: boolean;
  /** Whether a line exceeds the limit: reading stops there. */
  readonly tooLong: boolean;
}

const feed = 10;

/** Reads a file in chunks of whole lines, with at most a line and a chunk in memory. */
export async function* fileChunks(
  handle: FileHandle,
  start = 0,
  size = 1 << 20,
): AsyncGenerator<FileChunk, void, undefined> {
  let buffer = Buffer.allocUnsafe(size);
  // Read but not yet returned: the beginning of a line.
  let held = 0;
  let position = start;
  for (;;) {
    if (buffer.length - held < size / 2) {
      const larger = Buffer.allocUnsafe(buffer.length * 2);
      buffer.copy(larger, 0, 0, held);
      buffer = larger;
    }
    const { bytesRead } = await handle.read(buffer, held, buffer.length - held, position);
    if (bytesRead === 0) break;
    const filled = held + bytesRead;
    const offset = position - held;
    position += bytesRead;
    // The earlier part of the line has no end.
    const last = buffer.subarray(held, filled).lastIndexOf(feed);
    const length = last === -1 ? 0 : held + last + 1;
    if (length > 0) {
      const bytes = buffer.subarray(0, length);
      yield { offset, bytes, whole: true, tooLong: false };
      buffer.copyWithin(0, length, filled);
    }
    held = filled - length;
    if (held >= maxLineBytes) {
      yield { offset: offset + length, bytes: buffer.subarray(0, held), whole: false, tooLong: true };
      return;
    }
  }
  if (held > 0)
    yield { offset: position - held, bytes: buffer.subarray(0, held), whole: false, tooLong: false };
}

export function* linesIn(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(feed, start);
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** The first line without its line feed; `whole` if one ended it. Null in an empty file. */
export async function firstLine(
  handle: FileHandle,
): Promise<{ readonly bytes: Buffer; readonly whole: boolean } | null> {
  for await (const { bytes, whole } of fileChunks(handle, 0, 16 * 1024))
    return { bytes: whole ? bytes.subarray(0, bytes.indexOf(feed)) : bytes, whole };
  return null;
}
