import { resolve } from 'node:path';
import { beginningOf } from '../segments/find-first.js';
import { cursorOf, isCut, type LogLine, linesFrom, refuseCut, segmentLines } from '../segments/log-cursor.js';

export type { LogLine } from '../segments/log-cursor.js';

/**
 * The entries of a log, given any of its segments, in order, one at a time. Lines are not checked against
 * each other: `verifyLog` does that. A torn last line is left out. Throws a `LogError` with the line's number
 * at an unreadable line, and for a missing segment.
 */
export async function* readLog(file: string): AsyncGenerator<LogLine, void, undefined> {
  let cursor = await cursorOf(file);
  for (;;) {
    const before = cursor;
    for await (const { line, next } of linesFrom(cursor)) {
      yield line;
      cursor = next;
    }
    if (!(await isCut(cursor))) return;
    // The log may have continued in another segment meanwhile.
    if (cursor === before) refuseCut(cursor);
  }
}

/** The entries of one segment alone. */
export async function* readSegment(file: string): AsyncGenerator<LogLine, void, undefined> {
  const path = resolve(file);
  const number = (await beginningOf(path))?.line?.number ?? 1;
  const start = { first: path, path, number, offset: 0, line: 1, next: null };
  for await (const { line } of segmentLines(start)) yield line;
}
