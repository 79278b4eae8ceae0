import type { FileHandle } from 'node:fs/promises';
import { maxLineBytes } from '../line/line.js';

/** The bytes of one line, without its newline. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Of its first byte, in the file. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** Whether a newline ends it. */
  readonly whole: boolean;
  /** Whether it exceeds the limit: `bytes` is its beginning, and reading stops. */
  readonly tooLong: boolean;
}

const newline = 10;

/** The lines of a file, one at a time, in memory for no more than a line and a chunk. */
export async function* fileLines(
  handle: FileHandle,
  from: { readonly offset: number; readonly number: number } = { offset: 0, number: 1 },
): AsyncGenerator<FileLine, void, undefined> {
  const chunk = Buffer.allocUnsafe(256 * 1024);
  let { offset, number } = from;
  let position = offset;
  let parts: Buffer[] = [];
  let length = 0;
  const line = (whole: boolean, tooLong = false): FileLine => {
    const bytes = Buffer.concat(parts, length);
    return { number, offset, bytes, whole, tooLong };
  };
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    let start = 0;
    for (;;) {
      const end = chunk.subarray(0, bytesRead).indexOf(newline, start);
      const part = Buffer.from(chunk.subarray(start, end === -1 ? bytesRead : end));
      parts.push(part);
      length += part.length;
      if (length >= maxLineBytes) {
        yield line(false, true);
        return;
      }
      if (end === -1) break;
      yield line(true);
      offset += length + 1;
      number += 1;
      parts = [];
      length = 0;
      start = end + 1;
    }
  }
  if (length > 0) yield line(false);
}
