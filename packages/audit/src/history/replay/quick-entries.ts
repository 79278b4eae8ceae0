import { isAscii, isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { maxLineBytes } from '../../log/line/line.js';
import { parseLine } from '../../log/line/parse-line.js';
import { closingOf } from '../../log/line/segment-line.js';
import {
  cursorOf,
  isCut,
  openSegment,
  refuseCut,
  refuseOther,
  unreadable,
} from '../../log/segments/log-cursor.js';
import { createLeanLines, type LeanEntry, type Wanted } from './lean-lines.js';

/**
 * The decisions and policies of a log, and the approvals for the history, over all segments, in order. The
 * same as from `readLog`, except that lines of other events are not read, and a line with a duplicate key
 * counts as its hash says. Throws a `LogError` at an invalid line of these events.
 */
export async function* quickEntries(
  file: string,
  wanted: Wanted,
): AsyncGenerator<readonly LeanEntry[], void, undefined> {
  const lines = createLeanLines(wanted);
  const skipped = new Set(['outcome', 'end', 'run', ...(wanted.history ? [] : ['approval'])]);
  let cursor = await cursorOf(file);
  for (;;) {
    const handle = await openSegment(cursor);
    let next: string | null = null;
    let number = 0;
    try {
      for (const chunk of chunksOfLines(handle, cursor.path)) {
        const batch: LeanEntry[] = [];
        const isPlain = isAscii(chunk);
        const isText = isPlain || isUtf8(chunk);
        for (let start = 0; start < chunk.length; ) {
          const end = chunk.indexOf(newline, start);
          number += 1;
          const kind = isText
            ? kindOf(chunk.toString('latin1', start, Math.min(end, start + longestHead)))
            : null;
          if (kind === null || !skipped.has(kind)) {
            const bytes = chunk.subarray(start, end);
            const found =
              kind !== null && quick.has(kind)
                ? (lines.parse(bytes.toString(isPlain ? 'latin1' : 'utf8')) ??
                  carefully(bytes, cursor.path, number))
                : carefully(bytes, cursor.path, number);
            if (number === 1) refuseOther(found.entry, cursor);
            if (quick.has(found.entry.event)) batch.push(found);
            else next = closingOf(found.entry)?.next ?? next;
          }
          start = end + 1;
        }
        yield batch;
      }
    } finally {
      await handle.close();
    }
    const at = { ...cursor, line: number + 1, next };
    if (next === null) {
      if (await isCut(at)) refuseCut(at);
      return;
    }
    const path = join(dirname(cursor.first), next);
    cursor = { ...cursor, path, number: cursor.number + 1, offset: 0, line: 1, next: null };
  }
}

const newline = 10;

const quick: ReadonlySet<string> = new Set(['decision', 'approval', 'policy']);

/** An upper bound of the first members of a line, in the log's order. */
const longestHead = 400;
const head = /^\{"v":1,"seq":\d+,"time":"[-+0-9T:.]+Z","run":"[^"\\]*","event":"([a-z]+)"/;

function kindOf(beginning: string): string | null {
  return head.exec(beginning)?.[1] ?? null;
}

function carefully(bytes: Buffer, path: string, number: number): LeanEntry {
  const parsed = parseLine(bytes);
  if (parsed.ok) return { entry: parsed.entry, masked: true };
  throw unreadable(path, number, `${parsed.damage.code} ${parsed.damage.message}`);
}

const chunkBytes = 1024 * 1024;

/**
 * The whole lines of a file with newlines, many at once, always in the same buffer; a torn last line is left
 * out.
 */
function* chunksOfLines({ fd }: FileHandle, path: string): Generator<Buffer, void, undefined> {
  let buffer = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  for (let position = 0; ; ) {
    if (filled === buffer.length) {
      if (filled > maxLineBytes) throw unreadable(path, 1, 'LINE_TOO_LONG a line is too long');
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
    // No other work waits for this thread, and another one would be waited for.
    const bytesRead = readSync(fd, buffer, filled, buffer.length - filled, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    filled += bytesRead;
    const end = buffer.lastIndexOf(newline, filled - 1) + 1;
    if (end === 0) continue;
    yield buffer.subarray(0, end);
    buffer.copyWithin(0, end, filled);
    filled -= end;
  }
}
