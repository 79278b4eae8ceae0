import type { EventName } from '../line/line.js';
import { cursorOf, isCut, type LogLine, linesFrom, refuseCut } from '../segments/log-cursor.js';

export type { LogLine } from '../segments/log-cursor.js';

/**
 * The entries of a log, given any of its segments, in order, one at a time. Lines are not checked against
 * each other: `verifyLog` does that. A torn last line is left out. Throws a `LogError` with the line's number
 * at an unreadable line, and for a missing segment.
 */
export async function* readLog(file: string): AsyncGenerator<LogLine, void, undefined> {
  for await (const lines of readEvents(file)) yield* lines;
}

/** The same for some events, many at once; of other lines of version 2, only the head is read. */
export async function* readEvents(
  file: string,
  events: readonly EventName[] | null = null,
): AsyncGenerator<readonly LogLine[], void, undefined> {
  const wanted = events === null ? null : new Set(events);
  let cursor = await cursorOf(file);
  for (;;) {
    const before = cursor;
    for await (const { lines, next } of linesFrom(cursor, wanted)) {
      yield lines;
      cursor = next;
    }
    if (!(await isCut(cursor))) return;
    // The log may have continued in another segment meanwhile.
    if (cursor === before) refuseCut(cursor);
  }
}
