import type { EventName } from '../line/line.js';
import { cursorOf, isCut, type LogLine, linesFrom, refuseCut } from '../segments/log-cursor.js';

export type { LogLine } from '../segments/log-cursor.js';

/**
 * The entries of a log, or those of some events; unverified, without a torn last line. Throws a `LogError` at an
 * unreadable line.
 */
export async function* readLog(
  file: string,
  events: readonly EventName[] | null = null,
): AsyncGenerator<LogLine, void, undefined> {
  for await (const lines of readEvents(file, events)) yield* lines;
}

/** The same in batches. */
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
