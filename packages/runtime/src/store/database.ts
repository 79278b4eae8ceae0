import { chmodSync, closeSync, constants, fsyncSync, lstatSync, openSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { whyNotOwn } from '@ambit/audit';
import { errorCode, messageOf } from '@ambit/core';
import {
  type Connection,
  connect,
  prepareTables,
  type Query,
  type TransactionKind,
  transaction,
} from './driver.js';
import { damagedError, StoreError } from './store.js';

const wait = 25;

/** Milliseconds until `soon` writes are made durable. */
const shortly = 300;

/** `patience`: milliseconds until a locked file is given up. */
export async function openDatabase(file: string, { patience = 20_000 } = {}): Promise<Database> {
  const status = prepareFile(file);
  const at = { file, patience };
  const connection = await whileLocked(at, () => connect(file, wait));
  const database = new Database(connection, { ...at, status });
  try {
    await whileLocked(at, () => prepareTables(connection, file));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Place {
  readonly file: string;
  readonly patience: number;
}

interface Write {
  readonly when: 'now' | 'soon';
  readonly work: (query: Query) => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

export class Database {
  #last: Promise<unknown> = Promise.resolve();
  #writes: Write[] = [];
  #closed = false;
  #soon: NodeJS.Timeout | null = null;
  #synchronous = '';
  /** The database and what is beside it, at the first transaction. */
  #files: readonly (Stats | null)[] | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly place: Place & { readonly status: Stats },
  ) {}

  /** One durable transaction, in the order of calls. `soon`: survives this process, and is synced within a second. */
  write<T>(work: (query: Query) => T, when: 'now' | 'soon' = 'now'): Promise<T> {
    if (this.#closed) return Promise.reject(this.#closedError());
    return new Promise<T>((resolve, reject) => {
      const write: Write = { when, work, done: (value) => resolve(value as T), failed: reject };
      this.#writes.push(write);
      if (this.#writes.length === 1) this.#last = this.#last.then(() => this.#writeAll());
    });
  }

  read<T>(work: (query: Query) => T): Promise<T> {
    return this.#next(() => whileLocked(this.place, () => this.#transaction('DEFERRED', work)));
  }

  /** Empties the files beside the database, if no other process reads them. */
  settle(): Promise<void> {
    return this.#next(() => {
      try {
        this.connection.rows('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // The next owner does the same when the file beside it has grown.
        if (!isLocked(error)) throw asStoreError(error, this.place.file);
      }
    });
  }

  #next<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(this.#closedError());
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#soon !== null) clearTimeout(this.#soon);
    await this.#last;
    this.connection.close();
  }

  async #writeAll(): Promise<void> {
    const writes = this.#writes;
    this.#writes = [];
    const isSoon = writes.every(({ when }) => when === 'soon');
    try {
      this.#setSynchronous(isSoon ? 'NORMAL' : 'FULL');
      const ends = await whileLocked(this.place, () =>
        this.#transaction('IMMEDIATE', (query) =>
          writes.map(({ work }) =>
            writes.length === 1 ? { value: work(query) } : this.#apart(() => work(query)),
          ),
        ),
      );
      for (const [index, { done, failed }] of writes.entries()) {
        const end = ends[index];
        if (end === undefined || 'error' in end) failed(end?.error);
        else done(end.value);
      }
      if (isSoon) this.#soon ??= setTimeout(() => void this.#syncSoon(), shortly);
    } catch (error) {
      for (const { failed } of writes) failed(error);
    }
  }

  #setSynchronous(wanted: string): void {
    if (this.#synchronous !== wanted) this.connection.exec(`PRAGMA synchronous = ${wanted}`);
    this.#synchronous = wanted;
  }

  /** Syncs only the write-ahead log. A checkpoint would make the next write restart that file, and wait for a sync. */
  async #syncSoon(): Promise<void> {
    this.#soon = null;
    try {
      const beside = await open(`${this.place.file}-wal`);
      try {
        await beside.datasync();
      } finally {
        await beside.close();
      }
    } catch {
      // The database was closed or settled meanwhile, which syncs it.
    }
  }

  #apart(work: () => unknown): { readonly value: unknown } | { readonly error: unknown } {
    this.connection.exec('SAVEPOINT one');
    try {
      const value = work();
      this.connection.exec('RELEASE one');
      return { value };
    } catch (error) {
      // An error of the database itself concerns all of them.
      if (codeOf(error) !== null || !this.connection.inTransaction) throw error;
      this.connection.exec('ROLLBACK TO one; RELEASE one');
      return { error };
    }
  }

  #closedError(): Error {
    return new Error(`${this.place.file} is closed`);
  }

  #transaction<T>(kind: TransactionKind, work: (query: Query) => T): T {
    this.#requireSameFile();
    return transaction(this.connection, kind, () => work(this.connection.rows));
  }

  /** A removed, replaced or emptied file still takes writes, which would be lost. */
  #requireSameFile(): void {
    const { file, status } = this.place;
    const files = ['', '-wal', '-shm'].map((ending) => `${file}${ending}`);
    const found = files.map(statusOf);
    this.#files ??= [status, ...found.slice(1)];
    const other = this.#files.findIndex((one, at) => {
      const now = found[at];
      return one !== null && (one.ino !== now?.ino || one.dev !== now.dev || (at === 0 && now.size === 0));
    });
    if (other >= 0)
      throw new StoreError('FAILED', `${files[other]} was removed, replaced or emptied while it was in use`);
  }
}

/** Retries while another process has the file locked. Throws only our errors, which name the file. */
async function whileLocked<T>({ file, patience }: Place, work: () => T | Promise<T>): Promise<T> {
  const giveUp = performance.now() + patience;
  for (let pause = 2; ; pause = Math.min(pause * 2, 60)) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error)) throw asStoreError(error, file);
      if (performance.now() > giveUp)
        throw new StoreError(
          'LOCKED',
          `${file}: another process has kept it locked for more than ${patience / 1000} s`,
        );
    }
    // Processes that wait for each other come back at different times.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}

const codes = { busy: 5, locked: 6, corrupt: 11, format: 24, notDatabase: 26 };

function isLocked(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.busy || code === codes.locked;
}

function asStoreError(error: unknown, file: string): unknown {
  const code = codeOf(error);
  const message = messageOf(error);
  if (code === codes.corrupt || code === codes.notDatabase || code === codes.format)
    return damagedError(file, message);
  if (code !== null || message.startsWith('ConnectionFailed'))
    return new StoreError('FAILED', `${file} cannot be used: ${message}`);
  return error;
}

function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('rawCode' in error) || typeof error.rawCode !== 'number') return null;
  return error.rawCode & 0xff;
}

const { O_RDWR, O_CREAT, O_EXCL, O_RDONLY } = constants;

/**
 * Creates the file if it is missing, private to its owner. Throws on a link, on a file that others own or may
 * write, and on an emptied one: the database would wait for other processes, or remove what is beside it.
 */
function prepareFile(file: string): Stats {
  // The database writes its first page before anything beside it, so the file beside it comes first.
  const isLogged = (statusOf(`${file}-wal`)?.size ?? 0) > 0;
  const old = statusOf(file);
  const status = old ?? createFile(file);
  for (const [name, found] of [
    [file, status],
    ...['-wal', '-shm'].map((ending) => [`${file}${ending}`, statusOf(`${file}${ending}`)] as const),
  ] as const)
    if (found !== null) requireOwn(name, found);
  if (old?.size === 0 && isLogged)
    throw damagedError(file, `it is empty, and the file ${basename(file)}-wal beside it is not`);
  return status;
}

/** Never opens the file: closing it would drop this process's locks. */
function statusOf(file: string): Stats | null {
  return lstatSync(file, { throwIfNoEntry: false }) ?? null;
}

function createFile(file: string): Stats {
  try {
    closeSync(openSync(file, O_RDWR | O_CREAT | O_EXCL, 0o600));
    // A new file survives a power cut only when its folder is synced too.
    const folder = openSync(dirname(file), O_RDONLY);
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    // Another process was first.
    if (errorCode(error) !== 'EEXIST') throw fileError(file, error);
  }
  const status = statusOf(file);
  if (status === null) throw new StoreError('FAILED', `${file} was removed while it was created`);
  return status;
}

function requireOwn(file: string, status: Stats): void {
  const wrong = status.isSymbolicLink() ? 'is a symbolic link' : whyNotOwn(status);
  if (wrong !== null) throw new StoreError('UNSAFE_FILE', `${file} ${wrong}`);
  if ((status.mode & 0o777) === 0o600) return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // The database takes the files beside it away when the last process closes it.
    if (errorCode(error) !== 'ENOENT') throw fileError(file, error);
  }
}

function fileError(file: string, error: unknown): StoreError {
  return new StoreError('FAILED', `${file}: ${messageOf(error)}`);
}
