import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Log, LogEvent, NonEmpty } from '@ambit/core';
import { createHeadWriter, type HeadInterval, type HeadWriter } from './evidence/head-writer.js';
import type { SigningKey } from './evidence/note-key.js';
import { readHeads } from './evidence/notes-file.js';
import type { Evidence } from './evidence/witness.js';
import { formatVerification } from './format-verification.js';
import { type ChainEnd, encodeLine, firstPrev, maxLineBytes } from './line.js';
import { acquireLock, type Lock } from './lock.js';
import { LogError, messageOf } from './log-error.js';
import { createMask, type Mask } from './mask.js';
import { createFolder, openToAppend } from './open-file.js';
import { type Recovered, setAside } from './recover.js';
import { verifyHandle } from './verify.js';
import { writeAll } from './write-all.js';

export interface LogOptions {
  readonly file: string;
  readonly run: string;
  /** Under which secrets and arguments are digested: 16 bytes or more, kept where no run can read it. */
  readonly key: Uint8Array;
  /** Signs tree heads beside the log, in `FILE.heads`; left out, the log is not signed. */
  readonly signer?: SigningKey;
  /** When, besides at the beginning and at the end; every 1000 entries and ten seconds where left out. */
  readonly heads?: HeadInterval;
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
export async function createLog(options: LogOptions): Promise<FileLog> {
  const mask = createMask(options.key);
  const path = resolve(options.file);
  await createFolder(path);
  const lock = acquireLock(`${path}.lock`);
  try {
    const handle = await openToAppend(path);
    try {
      return await opened({ path, handle, lock, mask }, options);
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function opened(
  place: Pick<WriterState, 'path' | 'handle' | 'lock' | 'mask'>,
  { run, signer, heads: every = usual }: LogOptions,
): Promise<FileLog> {
  const { path, handle } = place;
  const found = await readHeads(path);
  const isSigned = found !== null && found.notes.length > 0;
  if (isSigned && signer === undefined)
    throw new LogError('BROKEN', 'the log is signed, and without its key it is not continued', {
      file: path,
    });
  const keys = signer === undefined ? [] : [signer.verifier];
  const { verification, tree, firstRun } = await continued(path, handle, {
    heads: found,
    // A log that was not signed so far may be from now on; one that another key signed may not.
    keys: isSigned ? keys : [],
  });
  const recovered = verification.torn === null ? null : await setAside(path, handle, verification.torn);
  const writer: Writer = new Writer({
    ...place,
    run,
    recovered,
    end: { seq: verification.entries, prev: verification.head ?? firstPrev },
    isOfAnother: verification.run !== null && verification.run !== run,
    heads:
      signer === undefined
        ? null
        : await createHeadWriter({
            file: path,
            found,
            run: firstRun ?? run,
            tree,
            signer,
            every,
            onDue: () => writer.signHead(),
          }),
  });
  return writer;
}

const usual: HeadInterval = { entries: 1000, seconds: 10 };

async function continued(path: string, handle: FileHandle, evidence: Pick<Evidence, 'heads' | 'keys'>) {
  const { verification, ...found } = await verifyHandle(handle, {
    ...evidence,
    anchors: [],
    isContinued: true,
  });
  if (verification.ok) return { verification, ...found };
  const message = `the log does not verify, so it is not continued: ${formatVerification(path, verification)}`;
  throw new LogError('BROKEN', message, { file: path });
}

interface Batch {
  /** Whether the end of a run is in it. */
  readonly isEnd: boolean;
  readonly lines: readonly ReturnType<typeof encodeLine>[];
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
  readonly heads: HeadWriter | null;
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
      const isEnd = events.some(({ event }) => event === 'end');
      this.#waiting.push({ lines: this.#encode(events), isEnd, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  /** Signs what no head covers yet, once nothing is being written. */
  signHead(): void {
    this.#flushing ??= this.#flush();
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      const { handle, lock, heads } = this.state;
      await this.#flushing;
      try {
        if (heads?.isBehind() === true && this.#failure === null) await heads.sign();
      } finally {
        await heads?.close();
        await handle.close();
        lock.release();
      }
    })();
    return this.#closing;
  }

  /** The lines of a batch; takes their places in the chain only when all of them can be written. */
  #encode(events: NonEmpty<LogEvent>): Batch['lines'] {
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
      return line;
    });
    this.#end = end;
    return lines;
  }

  /** Group commit: everything that waited while the disk was busy is one write and one sync. */
  async #flush(): Promise<void> {
    // What is appended in this same turn comes along.
    await Promise.resolve();
    const { handle, heads } = this.state;
    while (this.#waiting.length > 0 || heads?.isDue() === true) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const lines = group.flatMap((batch) => batch.lines);
        if (lines.length > 0) {
          await writeAll(handle, Buffer.concat(lines.map(({ bytes }) => bytes)));
          await handle.datasync();
        }
        // After the entries are durable: a head never covers what a power cut could take back.
        heads?.take(lines.map(({ hash }) => hash));
        // Before anybody is told that a run has ended; no other call waits for a signature.
        if (group.some(({ isEnd }) => isEnd)) await heads?.sign();
        for (const { resolve } of group) resolve();
        if (heads?.isDue() === true) await heads.sign();
      } catch (error) {
        this.#fail(error, group);
        break;
      }
    }
    this.#flushing = null;
  }

  /** For good: a part of a line may be on the disk, and what a failed sync has lost is not known. */
  #fail(cause: unknown, group: readonly Batch[]): void {
    const message = `the log cannot be written: ${messageOf(cause)}`;
    const failure =
      cause instanceof LogError ? cause : new LogError('WRITE_FAILED', message, { file: this.path, cause });
    this.#failure = failure;
    const lost = [...group, ...this.#waiting];
    this.#waiting = [];
    for (const { reject } of lost) reject(failure);
  }
}
