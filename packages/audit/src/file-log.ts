import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Log, LogEvent, NonEmpty } from '@ambit/core';
import { type ChainEnd, encodeLine, firstPrev, maxLineBytes } from './line.js';
import { acquireLock, type Lock } from './lock.js';
import { LogError, messageOf } from './log-error.js';
import { createMask, type Mask } from './mask.js';
import { createFolder, openToAppend } from './open-file.js';
import { type Recovered, setAside } from './recover.js';
import { formatVerification, verifyHandle } from './verify.js';

export interface LogOptions {
  readonly file: string;
  readonly run: string;
  /** Under which secrets and arguments are digested: 16 bytes or more, kept where no run can read it. */
  readonly key: Uint8Array;
}

export interface FileLog extends Log {
  /** Absolute. */
  readonly path: string;
  /** What a killed writer had left of its last line, where this log went on after it. */
  readonly recovered: Recovered | null;
  /** Waits for what was appended, and lets another writer in. */
  close(): Promise<void>;
}

/**
 * Opens a decision log for its one writer, or goes on with the one that is there. Rejects with a `LogError` where the
 * file is unsafe, is being written or does not verify. What a new run appends to the log of another begins with its `run`
 * event.
 */
export async function createLog({ file, run, key }: LogOptions): Promise<FileLog> {
  const mask = createMask(key);
  const path = resolve(file);
  await createFolder(path);
  const lock = acquireLock(`${path}.lock`);
  try {
    const handle = await openToAppend(path);
    try {
      const found = await continued(path, handle, run);
      return new Writer({ path, handle, lock, mask, run, ...found });
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function continued(
  path: string,
  handle: FileHandle,
  run: string,
): Promise<{ end: ChainEnd; recovered: Recovered | null; isOfAnother: boolean }> {
  const found = await verifyHandle(handle);
  if (!found.ok) {
    const message = `the log does not verify, so it is not continued: ${formatVerification(path, found)}`;
    throw new LogError('BROKEN', message, { file: path });
  }
  const recovered = found.torn === null ? null : await setAside(path, handle, found.torn);
  const end = { seq: found.entries, prev: found.head ?? firstPrev };
  return { end, recovered, isOfAnother: found.run !== null && found.run !== run };
}

interface Batch {
  readonly bytes: readonly Buffer[];
  readonly resolve: () => void;
  readonly reject: (error: LogError) => void;
}

interface WriterState extends Pick<FileLog, 'path' | 'recovered'> {
  readonly handle: FileHandle;
  readonly lock: Lock;
  readonly mask: Mask;
  readonly run: string;
  readonly end: ChainEnd;
  /** Whether the last line that is there was written by another run. */
  readonly isOfAnother: boolean;
}

class Writer implements FileLog {
  readonly path: string;
  readonly recovered: Recovered | null;
  /** The end of the chain, counting what waits. */
  #end: ChainEnd;
  #waiting: Batch[] = [];
  #flushing: Promise<void> | null = null;
  #failure: LogError | null = null;
  #closing: Promise<void> | null = null;

  constructor(private readonly state: WriterState) {
    this.path = state.path;
    this.recovered = state.recovered;
    this.#end = state.end;
  }

  append(events: NonEmpty<LogEvent>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) throw this.#failure;
      if (this.#closing !== null) throw new LogError('CLOSED', 'the log is closed', { file: this.path });
      this.#waiting.push({ bytes: this.#encode(events), resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#flushing;
      await this.state.handle.close();
      this.state.lock.release();
    })();
    return this.#closing;
  }

  /** The lines of a batch; takes their places in the chain only when all of them can be written. */
  #encode(events: NonEmpty<LogEvent>): readonly Buffer[] {
    let end = this.#end;
    if (this.state.isOfAnother && end.seq === this.state.end.seq && events[0].event !== 'run') {
      throw new LogError('BROKEN', 'a run begins with its `run` event', { file: this.path });
    }
    const lines = events.map((event) => {
      const time = new Date(event.now).toISOString();
      const line = encodeLine(this.state.mask(event), { ...end, run: this.state.run, time });
      if (line.bytes.length > maxLineBytes) {
        const message = `an event of ${line.bytes.length} bytes is too long for the log: at most ${maxLineBytes}`;
        throw new LogError('TOO_LONG', message, { file: this.path });
      }
      end = { seq: end.seq + 1, prev: line.hash };
      return line.bytes;
    });
    this.#end = end;
    return lines;
  }

  /** Group commit: everything that waited while the disk was busy is one write and one sync. */
  async #flush(): Promise<void> {
    // What is appended in this same turn comes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        await writeAll(this.state.handle, Buffer.concat(group.flatMap(({ bytes }) => bytes)));
        await this.state.handle.datasync();
      } catch (error) {
        this.#fail(error, group);
        break;
      }
      for (const { resolve } of group) resolve();
    }
    this.#flushing = null;
  }

  /** For good: a part of a line may be on the disk, and what a failed sync has lost is not known. */
  #fail(cause: unknown, group: readonly Batch[]): void {
    const message = `the log cannot be written: ${messageOf(cause)}`;
    const failure = new LogError('WRITE_FAILED', message, { file: this.path, cause });
    this.#failure = failure;
    const lost = [...group, ...this.#waiting];
    this.#waiting = [];
    for (const { reject } of lost) reject(failure);
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}
