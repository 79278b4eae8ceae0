import { setTimeout as wait } from 'node:timers/promises';
import { printable } from '@ambit/core';
import { LogError, systemCodeOf } from './log-error.js';
import { openForReading } from './open-file.js';
import { type LogLine, type Place, start, wholeLines } from './read-log.js';

export interface TailOptions {
  /** How many of the last entries come first; all where left out. */
  readonly lines?: number;
  /** Whether to go on with what is appended, until `signal` says stop; a file that is not there yet is waited for. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** How often a followed file is looked at, in milliseconds. */
const interval = 150;

/** The last entries of a log, and those that follow. A line is given once it is whole. */
export async function* tailLog(
  file: string,
  options: TailOptions = {},
): AsyncGenerator<LogLine, void, undefined> {
  const { lines = Number.POSITIVE_INFINITY, follow = false, signal } = options;
  const last: LogLine[] = [];
  let place = start;
  for await (const { line, next } of linesFrom(file, place, follow)) {
    if (signal?.aborted === true) return;
    last.push(line);
    if (last.length > lines) last.shift();
    place = next;
  }
  yield* last;
  while (follow && (await isLater(signal))) {
    for await (const { line, next } of linesFrom(file, place, follow)) {
      yield line;
      place = next;
    }
  }
}

async function* linesFrom(file: string, place: Place, mayBeMissing: boolean) {
  const handle = await openForReading(file).catch((error: unknown) => {
    if (mayBeMissing && place === start && systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return;
  try {
    // Setting a torn line aside never cuts into a whole one, so this is another file, or a damaged one.
    if ((await handle.stat()).size < place.offset) {
      throw new LogError('CUT', `${printable(file)} became shorter while it was read`, {
        file,
        line: place.number,
      });
    }
    yield* wholeLines(file, handle, place);
  } finally {
    await handle.close();
  }
}

/** False once the signal says stop. */
async function isLater(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await wait(interval, undefined, signal === undefined ? {} : { signal });
    return true;
  } catch (error) {
    if (signal?.aborted === true) return false;
    throw error;
  }
}
