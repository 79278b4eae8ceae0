import type { FileHandle } from 'node:fs/promises';
import type { Log } from '@ambit/core';
import type { Lock } from '../files/lock.js';
import type { createAdding } from '../line/history.js';
import type { EventTexts } from '../mask/event-texts.js';
import type { LeftFiles } from '../segments/left-file.js';
import type { HeadWriter } from './head-writer.js';
import type { Recovered } from './recover.js';
import type { RotationLimits, Segment } from './rotation.js';

/**
 * How appended events reach the disk; `append` always resolves after that. `group`: waiting appends share one
 * write and one fsync. `sync`: one write and fsync for each append, synchronously.
 */
export type CommitMode = 'group' | 'sync';

export interface FileLog extends Log {
  /** Absolute, of the first segment: the name of the log. */
  readonly path: string;
  /** The partial last line of a killed writer, where this log continued after it. */
  readonly recovered: Recovered | null;
  /** The segment that a killed writer had begun and not entered, where this log went on before it. */
  readonly abandoned: Recovered | null;
  /** Waits for appended events, and lets other processes write. Nothing may be appended until `retake`. */
  release(): Promise<void>;
  /** Whether this process has the log again and nothing has changed it; otherwise only `close` is left. Throws `LOCKED`. */
  retake(): boolean;
  /** Waits for appended events, and releases the log. */
  close(): Promise<void>;
}

export interface WriterPlace extends Pick<FileLog, 'path' | 'recovered' | 'abandoned'> {
  /** Of the last segment. */
  readonly handle: FileHandle;
  readonly lock: Lock;
  readonly textsOf: EventTexts;
  readonly rotate: RotationLimits;
  readonly commit: CommitMode;
  readonly run: string;
  readonly segment: Segment;
  /** Checked with each commit: a removed log records nothing. */
  readonly files: LeftFiles;
  /** How many entries all segments have. */
  readonly size: number;
  /** The run of the last line; null without lines. */
  readonly lastRun: string | null;
  readonly heads: HeadWriter | null;
  /** Goes on from what the entries of the file say of the run. */
  readonly adding: ReturnType<typeof createAdding>;
}
