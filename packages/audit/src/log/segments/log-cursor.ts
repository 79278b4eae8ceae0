import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, printable } from '@ambit/core';
import { fileChunks, linesIn } from '../files/file-lines.js';
import { LogError } from '../files/log-error.js';
import { openForReading } from '../files/open-file.js';
import { type ReadHead, readHead } from '../line/head.js';
import { type EventName, type LogEntry, maskMark } from '../line/line.js';
import { parseLine } from '../line/parse-line.js';
import { closingOf, openingOf } from '../line/segment-line.js';
import { firstSegmentOf, strayAfter } from './find-first.js';
import { segmentPath } from './segment-name.js';

export interface LogLine {
  /** Absolute path of its segment; absent if it was not read from a file. */
  readonly file?: string;
  /** From 1. */
  readonly line: number;
  readonly entry: LogEntry;
  /** False if nothing in it was masked. */
  readonly masked?: boolean;
}

/** A place between two lines of a log. */
interface Cursor {
  readonly first: string;
  /** Of the segment; numbers begin at 1. */
  readonly path: string;
  readonly number: number;
  readonly offset: number;
  /** Of the next line, from 1. */
  readonly line: number;
  readonly next: string | null;
}

/** Before the first line of the log that a file is a segment of. */
export async function cursorOf(file: string): Promise<Cursor> {
  const first = await firstSegmentOf(resolve(file));
  return { first, path: first, number: 1, offset: 0, line: 1, next: null };
}

/** Whole lines that were read together, and the place after them. */
interface Batch {
  readonly lines: readonly LogLine[];
  readonly next: Cursor;
}

export type Wanted = ReadonlySet<EventName> | null;

/** Whole lines from a place on, over all segments. Of unwanted events, only heads are read. */
export async function* linesFrom(
  from: Cursor,
  wanted: Wanted = null,
): AsyncGenerator<Batch, void, undefined> {
  let cursor = from;
  for (;;) {
    for await (const batch of segmentLines(cursor, wanted)) {
      yield batch;
      cursor = batch.next;
    }
    if (cursor.next === null) return;
    const path = join(dirname(cursor.first), cursor.next);
    cursor = { ...cursor, path, number: cursor.number + 1, offset: 0, line: 1, next: null };
  }
}

async function* segmentLines(from: Cursor, wanted: Wanted): AsyncGenerator<Batch, void, undefined> {
  const { path } = from;
  const handle = await openSegment(from);
  try {
    // Setting a torn line aside never cuts into a whole one, so this is another file, or a damaged one.
    if ((await handle.stat()).size < from.offset)
      throw new LogError('CUT', `${printable(path)} became shorter while it was read`, {
        file: path,
        line: from.line,
      });
    let next = from;
    for await (const chunk of fileChunks(handle, from.offset, chunkBytes)) {
      if (chunk.tooLong) throw unreadable(path, next.line, 'LINE_TOO_LONG the line is too long');
      if (!chunk.whole) return;
      const lines: LogLine[] = [];
      try {
        for (const bytes of linesIn(chunk.bytes)) {
          const head = readHead(bytes);
          const entry = isSkipped(head, next, wanted) ? null : entryOf(bytes, head, next);
          if (entry !== null && next.line === 1) refuseOther(entry, from);
          if (entry !== null && (wanted === null || wanted.has(entry.event)))
            lines.push({ file: path, line: next.line, entry, masked: bytes.includes(maskMark) });
          const end = { offset: next.offset + bytes.length + 1, line: next.line + 1 };
          next = { ...from, ...end, next: closingOf(entry)?.next ?? null };
        }
      } catch (error) {
        // The lines before a bad one are good.
        yield { lines, next };
        throw error;
      }
      yield { lines, next };
    }
  } finally {
    await handle.close();
  }
}

/** Small batches are cheaper to collect. */
const chunkBytes = 1 << 16;

function isSkipped(read: ReadHead | null, { line }: Cursor, wanted: Wanted): boolean {
  if (wanted === null || line === 1) return false;
  const event = read?.head.event;
  return event !== undefined && event !== 'segment' && !wanted.has(event);
}

/** Whether a log continues after this place without saying so. */
export async function isCut({ first, path, number }: Cursor): Promise<boolean> {
  return (await strayAfter(path, segmentPath(first, number + 1))) === 'entered';
}

export function refuseCut({ first, path, number, line }: Cursor): never {
  const next = basename(segmentPath(first, number + 1));
  throw unreadable(path, line, `SEGMENT_UNCLOSED ${next} follows, and this segment does not say so`);
}

async function openSegment({ path, first }: Cursor) {
  try {
    return await openForReading(path);
  } catch (error) {
    if (path === first || errorCode(error) !== 'ENOENT') throw error;
    throw unreadable(path, 1, 'SEGMENT_MISSING the next segment of the log is missing');
  }
}

/** A segment in the wrong place would repeat or reorder entries. */
function refuseOther(entry: LogEntry, { path, number }: Cursor): void {
  const found = openingOf(entry)?.number ?? 1;
  if (found !== number) throw unreadable(path, 1, `SEGMENT_ORDER segment ${number} belongs here`);
}

function entryOf(bytes: Buffer, head: ReadHead | null, { path, line }: Cursor): LogEntry {
  const parsed = parseLine(bytes, head);
  if (parsed.ok) return parsed.entry;
  throw unreadable(path, line, `${parsed.code} ${parsed.message}`);
}

function unreadable(file: string, line: number, problem: string): LogError {
  return new LogError('BAD_LINE', `${printable(file)}:${line}: ${printable(problem)}`, { file, line });
}
