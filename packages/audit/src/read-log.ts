import type { FileHandle } from 'node:fs/promises';
import { printable } from '@ambit/core';
import { type FileLine, fileLines } from './file-lines.js';
import type { LogEntry } from './line.js';
import { LogError } from './log-error.js';
import { openForReading } from './open-file.js';
import { parseLine } from './parse-line.js';

/** An entry, and where it stands. */
export interface LogLine {
  /** From 1. */
  readonly line: number;
  readonly entry: LogEntry;
}

/**
 * The entries of a log, in order, one at a time; each line by itself, so `verifyLog` is what tells whether they hold
 * together. A torn last line is left out. Throws a `LogError` with the line's number at a line that cannot be read.
 */
export async function* readLog(file: string): AsyncGenerator<LogLine, void, undefined> {
  const handle = await openForReading(file);
  try {
    for await (const { line } of wholeLines(file, handle)) yield line;
  } finally {
    await handle.close();
  }
}

/** The whole lines from a place on, each with the place after it. */
export async function* wholeLines(
  file: string,
  handle: FileHandle,
  from: Place = start,
): AsyncGenerator<{ readonly line: LogLine; readonly next: Place }, void, undefined> {
  for await (const found of fileLines(handle, from)) {
    if (!found.whole && !found.tooLong) return;
    const next = { offset: found.offset + found.bytes.length + 1, number: found.number + 1 };
    yield { line: { line: found.number, entry: entryOf(file, found) }, next };
  }
}

export interface Place {
  readonly offset: number;
  readonly number: number;
}

export const start: Place = { offset: 0, number: 1 };

function entryOf(file: string, { bytes, number, tooLong }: FileLine): LogEntry {
  const parsed = tooLong ? null : parseLine(bytes);
  if (parsed?.ok === true) return parsed.entry;
  const problem =
    parsed === null ? 'LINE_TOO_LONG the line is too long' : `${parsed.damage.code} ${parsed.damage.message}`;
  throw new LogError('BAD_LINE', `${printable(file)}:${number}: ${printable(problem)}`, {
    file,
    line: number,
  });
}
