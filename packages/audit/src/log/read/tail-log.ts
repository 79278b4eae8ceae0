import { setTimeout as wait } from 'node:timers/promises';
import { systemCodeOf } from '../files/log-error.js';
import { cursorOf, type LogLine, linesFrom } from '../segments/log-cursor.js';

export interface TailOptions {
  /** How many of the last entries come first; all where left out. */
  readonly lines?: number;
  /** Whether to go on with what is appended, until `signal` says stop; a file that is not there yet is waited for. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** How often a followed file is looked at, in milliseconds. */
const interval = 150;

/** The last entries of a log, and those that follow, over all of its segments. A line is given once it is whole. */
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
      for await (const { line, next } of linesFrom(cursor)) {
        // Before it is given: whoever asks for no more has had it.
        cursor = next;
        yield line;
      }
    } catch (error) {
      const mayBeMissing = follow && cursor === start && systemCodeOf(error) === 'ENOENT';
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
