import { basename, dirname, join, resolve } from 'node:path';
import { printable } from '@ambit/core';
import { type FileLine, fileLines } from '../files/file-lines.js';
import { LogError, systemCodeOf } from '../files/log-error.js';
import { openForReading } from '../files/open-file.js';
import type { LogEntry } from '../line/line.js';
import { parseLine } from '../line/parse-line.js';
import { closingOf, openingOf } from '../line/segment-line.js';
import { firstSegmentOf, strayAfter } from './find-first.js';
import { segmentPath } from './segment-name.js';

/** An entry with its place. */
export interface LogLine {
  /** Its segment as an absolute path; absent if it was not read from a file. */
  readonly file?: string;
  /** From 1. */
  readonly line: number;
  readonly entry: LogEntry;
}

/** A place between two lines of a log. */
interface Cursor {
  /** Of the log. */
  readonly first: string;
  /** Of the segment, and its number from 1. */
  readonly path: string;
  readonly number: number;
  readonly offset: number;
  /** Of the next line, from 1. */
  readonly line: number;
  /** The segment that follows, once the last line of this one was read. */
  readonly next: string | null;
}

/** Before the first line of the log that a file is a segment of. */
export async function cursorOf(file: string): Promise<Cursor> {
  const first = await firstSegmentOf(resolve(file));
  return { first, path: first, number: 1, offset: 0, line: 1, next: null };
}

/** The whole lines from a place on, over all segments, each with the place after it. */
export async function* linesFrom(
  from: Cursor,
): AsyncGenerator<{ readonly line: LogLine; readonly next: Cursor }, void, undefined> {
  let cursor = from;
  for (;;) {
    for await (const found of segmentLines(cursor)) {
      yield found;
      cursor = found.next;
    }
    if (cursor.next === null) return;
    const path = join(dirname(cursor.first), cursor.next);
    cursor = { ...cursor, path, number: cursor.number + 1, offset: 0, line: 1, next: null };
  }
}

/** The whole lines of one segment. */
export async function* segmentLines(
  from: Cursor,
): AsyncGenerator<{ readonly line: LogLine; readonly next: Cursor }, void, undefined> {
  const { path } = from;
  const handle = await openSegment(from);
  try {
    // Setting a torn line aside never cuts into a whole one, so this is another file, or a damaged one.
    if ((await handle.stat()).size < from.offset)
      throw new LogError('CUT', `${printable(path)} became shorter while it was read`, {
        file: path,
        line: from.line,
      });
    for await (const found of fileLines(handle, { offset: from.offset, number: from.line })) {
      if (!found.whole && !found.tooLong) return;
      const entry = entryOf(path, found);
      if (found.number === 1) refuseOther(entry, from);
      const offset = found.offset + found.bytes.length + 1;
      const next = { ...from, offset, line: found.number + 1, next: closingOf(entry)?.next ?? null };
      yield { line: { file: path, line: found.number, entry }, next };
    }
  } finally {
    await handle.close();
  }
}

/** Whether a log continues after this place without saying so. */
export async function isCut({ first, path, number }: Cursor): Promise<boolean> {
  return (await strayAfter(path, segmentPath(first, number + 1))) === 'entered';
}

export function refuseCut({ first, path, number, line }: Cursor): never {
  const next = basename(segmentPath(first, number + 1));
  throw unreadable(path, line, `SEGMENT_UNCLOSED ${next} follows, and this segment does not say so`);
}

/** The file of the segment that a place is in. */
export async function openSegment({ path, first }: Cursor) {
  try {
    return await openForReading(path);
  } catch (error) {
    if (path === first || systemCodeOf(error) !== 'ENOENT') throw error;
    throw unreadable(path, 1, 'SEGMENT_MISSING the next segment of the log is not there');
  }
}

/** A segment of another place would tell its story in the wrong order, or twice. */
export function refuseOther(entry: LogEntry, { path, number }: Cursor): void {
  const found = openingOf(entry)?.number ?? 1;
  if (found !== number) throw unreadable(path, 1, `SEGMENT_ORDER segment ${number} belongs here`);
}

function entryOf(file: string, { bytes, number, tooLong }: FileLine): LogEntry {
  const parsed = tooLong ? null : parseLine(bytes);
  if (parsed?.ok === true) return parsed.entry;
  throw unreadable(
    file,
    number,
    parsed === null ? 'LINE_TOO_LONG the line is too long' : `${parsed.damage.code} ${parsed.damage.message}`,
  );
}

export function unreadable(file: string, line: number, problem: string): LogError {
  return new LogError('BAD_LINE', `${printable(file)}:${line}: ${printable(problem)}`, { file, line });
}
