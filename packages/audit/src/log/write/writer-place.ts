import type { FileHandle } from 'node:fs/promises';
import type { Log } from '@ambit/core';
import type { Lock } from '../files/lock.js';
import type { createAdding } from '../line/history.js';
import type { EventTexts } from '../mask/event-texts.js';
import type { WrittenFiles } from '../segments/written-files.js';
import type { HeadWriter } from './head-writer.js';
import type { Recovered } from './recover.js';
import type { RotationLimits, Segment } from './rotation.js';

/** `group`: waiting appends share one fsync. `sync`: one synchronous fsync for each append. */
export type CommitMode = 'group' | 'sync';

export interface FileLog extends Log {
  /** Absolute, of the first segment: the name of the log. */
  readonly path: string;
  /** The partial last line of a killed writer, if this log continued after it. */
  readonly recovered: Recovered | null;
  /** The unnamed segment of a killed writer, if this log continued before it. */
  readonly abandoned: Recovered | null;
  /** Waits for appended events, and lets other processes write until `retake`. */
  release(): Promise<void>;
  /** False if the log changed meanwhile; then only `close` may be called. Throws `LOCKED`. */
  retake(): boolean;
  close(): Promise<void>;
}

export interface WriterPlace extends Pick<FileLog, 'path' | 'recovered' | 'abandoned'> {
  readonly handle: FileHandle;
  readonly lock: Lock;
  readonly textsOf: EventTexts;
  readonly rotate: RotationLimits;
  readonly commit: CommitMode;
  readonly run: string;
  readonly segment: Segment;
  /** Checked with each commit: a removed log records nothing. */
  readonly files: WrittenFiles;
  readonly size: number;
  /** The run of the last line; null without lines. */
  readonly lastRun: string | null;
  readonly heads: HeadWriter | null;
  readonly adding: ReturnType<typeof createAdding>;
}
