import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '@ambit/core';
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
  events: readonly EventName[] | null,
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

export interface TailOptions {
  /** The number of last entries to begin with; all by default. */
  readonly lines?: number;
  /** Whether to follow appended entries until `signal` aborts; a missing file is awaited. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** Milliseconds. */
const interval = 150;

/** The last entries of a log, and later ones, over all segments. */
export async function* tailLog(
  file: string,
  options: TailOptions = {},
): AsyncGenerator<LogLine, void, undefined> {
  const { lines = Number.POSITIVE_INFINITY, follow = false, signal } = options;
  const last: LogLine[] = [];
  const start = await cursorOf(file);
  let cursor = start;
  const later = async function* () {
    try {
      for await (const { lines, next } of linesFrom(cursor)) {
        // Before they are returned: if the caller stops, it has already received them.
        cursor = next;
        yield* lines;
      }
    } catch (error) {
      const mayBeMissing = follow && cursor === start && errorCode(error) === 'ENOENT';
      if (!mayBeMissing) throw error;
    }
  };
  for await (const line of later()) {
    if (signal?.aborted === true) return;
    last.push(line);
    if (last.length > lines) last.shift();
  }
  yield* last;
  while (follow && (await isLater(signal))) yield* later();
}

async function isLater(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await wait(interval, undefined, signal === undefined ? {} : { signal });
    return true;
  } catch (error) {
    if (signal?.aborted === true) return false;
    throw error;
  }
}
