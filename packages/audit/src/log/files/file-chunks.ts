import type { FileHandle } from 'node:fs/promises';
import { maxLineBytes } from '../line/line.js';

/** Whole lines, read together, or the rest after the last of them. */
export interface FileChunk {
  /** Of the first line, from 1. */
  readonly number: number;
  /** Of its first byte, in the file. */
  readonly offset: number;
  /** Ends with a newline where `whole`; holds until the next chunk is asked for. */
  readonly bytes: Buffer;
  readonly whole: boolean;
  /** Whether a line exceeds the limit: reading stops there. */
  readonly tooLong: boolean;
}

const newline = 10;

/** A file in chunks of whole lines, in memory for no more than a line and a chunk. */
export async function* fileChunks(
  handle: FileHandle,
  size = 1 << 20,
): AsyncGenerator<FileChunk, void, undefined> {
  let buffer = Buffer.allocUnsafe(size);
  // Read but not yet returned: the beginning of a line.
  let held = 0;
  let position = 0;
  let number = 1;
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
    const last = buffer.subarray(held, filled).lastIndexOf(newline);
    const length = last === -1 ? 0 : held + last + 1;
    if (length > 0) {
      const bytes = buffer.subarray(0, length);
      yield { number, offset, bytes, whole: true, tooLong: false };
      number += countLines(bytes);
      buffer.copyWithin(0, length, filled);
    }
    held = filled - length;
    if (held >= maxLineBytes) {
      yield { number, offset: offset + length, bytes: buffer.subarray(0, held), whole: false, tooLong: true };
      return;
    }
  }
  if (held > 0)
    yield { number, offset: position - held, bytes: buffer.subarray(0, held), whole: false, tooLong: false };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
