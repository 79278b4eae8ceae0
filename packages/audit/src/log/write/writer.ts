import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type LogEvent, messageOf, type NonEmpty } from '@ambit/core';
import { acquireLock, type Lock } from '../files/lock.js';
import { LogError } from '../files/log-error.js';
import { openToAppend, syncFolder } from '../files/open-file.js';
import { commitAsync, commitNow } from '../files/write-all.js';
import { encodeLine, headMembers, type Line, maxLineBytes } from '../line/line.js';
import { openFile, stateOf, type WrittenFiles } from '../segments/written-files.js';
import { headsNameOf } from '../tree/notes-file.js';
import { Group } from './group.js';
import { after, isFull, type Rotation, rotationAfter, type Segment } from './rotation.js';
import type { FileLog, WriterPlace } from './writer-place.js';

/** Milliseconds that a deferrable event waits for another one to share its write. */
const longestWait = 20;

export class Writer implements FileLog {
  readonly path: string;
  readonly recovered: FileLog['recovered'];
  readonly abandoned: FileLog['abandoned'];
  readonly files: WrittenFiles;
  #handle: FileHandle;
  /** The end of the chain, counting waiting entries. */
  #segment: Segment;
  #size: number;
  #lastRun: string | null;
  #waiting: Group[] = [];
  #flushing: Promise<void> | null = null;
  #soon: NodeJS.Timeout | null = null;
  #failure: LogError | null = null;
  #closing: Promise<void> | null = null;
  #lock: Lock;
  /** State of the files at release; null while this process has the log. */
  #released: string | null = null;

  constructor(private readonly place: WriterPlace) {
    this.path = place.path;
    this.recovered = place.recovered;
    this.abandoned = place.abandoned;
    this.files = place.files;
    this.#handle = place.handle;
    this.#segment = place.segment;
    this.#size = place.size;
    this.#lastRun = place.lastRun;
    this.#lock = place.lock;
  }

  append(events: NonEmpty<LogEvent>, when: 'now' | 'soon' = 'now'): Promise<void> {
    try {
      if (this.#failure !== null) throw this.#failure;
      if (this.#closing !== null || this.#released !== null)
        throw new LogError('CLOSED', 'the log is closed', { file: this.path });
      const { lines, rotation } = this.#encode(events);
      let group: Group | null = null;
      for (const [index, line] of lines.entries()) {
        const event = events[index]?.event;
        // A signed run has a head over everything before it, whenever its writer is killed.
        const beginsRun = event === 'run' && this.place.heads !== null;
        if (group === null) group = this.#groupFor(rotation, beginsRun);
        else if (beginsRun) {
          // The caller waits only for the rest of its append.
          group.done.catch(() => undefined);
          group = this.#groupFor(null, beginsRun);
        }
        group.add(line);
        if (event === 'end') group.isEnd = true;
      }
      if (when === 'soon') this.#soon ??= setTimeout(() => this.#begin(), longestWait);
      else this.#begin();
      return group?.done ?? Promise.resolve();
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  #begin(): void {
    if (this.#soon !== null) clearTimeout(this.#soon);
    this.#soon = null;
    this.#flushing ??= this.#flush();
  }

  /** How lines are written: with all waiting ones, or alone; never across the end of a segment. */
  #groupFor(rotation: Rotation | null, beginsRun: boolean): Group {
    const last = this.#waiting.at(-1);
    const isNew = rotation !== null || beginsRun || this.place.commit === 'sync';
    if (last !== undefined && !isNew) return last;
    const group = new Group(rotation, beginsRun);
    this.#waiting.push(group);
    return group;
  }

  /** Signs entries that no head covers, once no write is active. */
  signHead(): void {
    this.#begin();
  }

  async release(): Promise<void> {
    await this.#settle();
    this.#released = this.#state();
    this.#lock.release();
  }

  retake(): boolean {
    this.#lock = acquireLock(`${this.path}.lock`);
    if (this.#failure !== null || this.#released !== this.#state()) return false;
    this.#released = null;
    return true;
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      try {
        if (this.#released === null) await this.#settle();
      } finally {
        await this.place.heads?.close();
        await this.#handle.close();
        this.#lock.release();
      }
    })();
    return this.#closing;
  }

  async #settle(): Promise<void> {
    const { heads } = this.place;
    if (this.#soon !== null) this.#begin();
    await this.#flushing;
    if (heads?.isBehind() === true && this.#failure === null) await heads.sign();
  }

  #state(): string {
    return `${this.files.state()}\n${stateOf(headsNameOf(this.path))}`;
  }

  /** Takes places in the chain only if all lines can be written. */
  #encode(events: NonEmpty<LogEvent>): { lines: readonly Line[]; rotation: Rotation | null } {
    const { run, path, rotate } = this.place;
    if (this.#lastRun !== null && this.#lastRun !== run && events[0].event !== 'run')
      throw new LogError('BROKEN', 'a run begins with its `run` event', { file: path });
    // Filled one by one: V8 makes `map` another kind of list once it is compiled, and then compiles all of this again.
    const members: string[] = [];
    for (const event of events) members.push(this.#membersOf(event));
    const { now } = events[0];
    let segment = this.#segment;
    let rotation: Rotation | null = null;
    let lines = this.#linesOf(events, members, segment);
    if (isFull(segment, { lines, now }, rotate)) {
      // The lines that end and begin a segment belong to the run before them.
      const log = { first: path, size: this.#size, run: this.#lastRun ?? run, now };
      ({ rotation, segment } = rotationAfter(segment, log));
      lines = this.#linesOf(events, members, segment);
    }
    this.#segment = after(segment, { lines, now });
    this.#size += lines.length + (rotation === null ? 0 : 2);
    this.#lastRun = run;
    return { lines, rotation };
  }

  #membersOf(event: LogEvent): string {
    try {
      const members = this.place.textsOf(event, this.place.adding(event));
      if (members !== null) return members;
      const message = `an event has a wrong ${headMembers.map((name) => `\`${name}\``).join(', ')}`;
      throw new LogError('BAD_EVENT', message, { file: this.path });
    } catch (error) {
      if (error instanceof LogError && error.code === 'WRITE_FAILED') this.#failure = error;
      throw error;
    }
  }

  #linesOf(events: NonEmpty<LogEvent>, members: readonly string[], { end: start }: Segment): readonly Line[] {
    const { run } = this.place;
    const lines: Line[] = [];
    let end = start;
    for (const { now } of events) {
      const line = encodeLine(members[lines.length] as string, { seq: end.seq, prev: end.prev, run, now });
      if (line.length > maxLineBytes) {
        const message = `an event of ${line.length} bytes is too long for the log: at most ${maxLineBytes}`;
        throw new LogError('TOO_LONG', message, { file: this.path });
      }
      end = { seq: end.seq + 1, prev: line.hash };
      lines.push(line);
    }
    return lines;
  }

  async #flush(): Promise<void> {
    // Appends of this same turn are included.
    if (this.place.commit === 'group' || this.#waiting.length === 0) await Promise.resolve();
    const { heads } = this.place;
    try {
      while (this.#waiting.length > 0 || heads?.isDue() === true) {
        const groups = this.#waiting;
        this.#waiting = [];
        try {
          for (const group of groups) await this.#write(group);
          if (heads?.isDue() === true) await heads.sign();
        } catch (error) {
          this.#fail(error, groups);
          return;
        }
      }
    } finally {
      this.#flushing = null;
    }
  }

  async #write(group: Group): Promise<void> {
    const { heads, commit: mode } = this.place;
    if (group.rotation !== null) await this.#rotate(group.rotation);
    if (group.beginsRun && heads?.isBehind() === true) await heads.sign();
    const written = () => {
      this.files.grow(group.length);
      if (group.isEnd) this.files.requireAll();
      else this.files.requireNext();
    };
    if (mode === 'sync') {
      commitNow(this.#handle, group.parts());
      written();
    } else await commitAsync(this.#handle, group.parts(), written);
    // After the entries are durable: a head never covers entries that a power cut could lose.
    heads?.take(group.hashes);
    // Before the end of a run is reported; no other call waits for a signature.
    if (group.isEnd) await heads?.sign();
    group.resolve();
  }

  /** The new segment is durable before the old one names it. */
  async #rotate({ closing, opening, path }: Rotation): Promise<void> {
    const { heads } = this.place;
    const next = await openToAppend(path, 'new');
    try {
      await commitAsync(next, [Buffer.from(`${opening.text}\n`)]);
      await syncFolder(dirname(path));
      await commitAsync(this.#handle, [Buffer.from(`${closing.text}\n`)]);
      this.files.grow(closing.length);
      this.files.rotate(openFile(path, next.fd));
    } catch (error) {
      await next.close();
      throw error;
    }
    const old = this.#handle;
    this.#handle = next;
    await old.close();
    heads?.take([closing.hash, opening.hash]);
    await heads?.sign();
  }

  /** Permanently: the state of the disk is unknown. */
  #fail(cause: unknown, groups: readonly Group[]): void {
    const message = `the log cannot be written: ${messageOf(cause)}`;
    const failure =
      cause instanceof LogError ? cause : new LogError('WRITE_FAILED', message, { file: this.path, cause });
    this.#failure = failure;
    const lost = [...groups, ...this.#waiting];
    this.#waiting = [];
    for (const { reject } of lost) reject(failure);
  }
}
