import { remembered } from '@ambit/core';
import type libsql from 'libsql';
import { damagedError, StoreError } from './store.js';

/** Parameters of SQL: ids, JSON as text, numbers. */
type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;
/** Runs one statement to its end, and returns its rows. */
export type Query = (sql: string, ...values: readonly Value[]) => readonly Row[];

/** Whether it takes the write lock at once. */
export type TransactionKind = 'DEFERRED' | 'IMMEDIATE';

/** Loads the native module at first use. `wait`: milliseconds that a statement waits for others. */
export async function connect(file: string, wait: number): Promise<Connection> {
  const { default: Database } = await load();
  return new Connection(new Database(file, { timeout: wait }));
}

export class Connection {
  readonly #statements = new Map<string, libsql.Statement>();

  constructor(private readonly database: libsql.Database) {}

  get inTransaction(): boolean {
    return this.database.inTransaction;
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Reads all rows: an unfinished statement keeps its locks. Statements are cached for the same reason. */
  readonly rows: Query = (sql, ...values) => {
    const statement = remembered(this.#statements, sql, () => this.database.prepare(sql));
    return statement.all([...values]) as Row[];
  };

  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/** One consistent state of the file, also with concurrent writers. */
export function transaction<T>(connection: Connection, kind: TransactionKind, work: () => T): T {
  connection.exec(`BEGIN ${kind}`);
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures have rolled back by themselves.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

async function load(): Promise<{ readonly default: typeof libsql }> {
  try {
    return await import('libsql');
  } catch (error) {
    throw new StoreError('NOT_LOADED', notLoadedText(error));
  }
}

export function notLoadedText(error: unknown): string {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return (
    `the embedded database cannot be loaded on this machine (${process.platform} ${process.arch}): ${why}. ` +
    'Runs can be neither stored nor resumed here, and `ambit approvals` and `ambit runs` do not work; all else does. ' +
    'It is the package `libsql`: npm install libsql'
  );
}

/** Older files are upgraded when they are opened. */
const version = 1;
/** `Ambt` marks our files. */
const application = 0x416d6274;

/** Everything that is not searched for is JSON, so that no value is ever changed by a column's type. */
const tables = `
CREATE TABLE runs (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'parked', 'finished', 'stopped', 'failed')),
  since INTEGER NOT NULL
) STRICT;
CREATE TABLE steps (
  position INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id),
  step TEXT NOT NULL
) STRICT;
CREATE INDEX steps_of_run ON steps (run, position);
CREATE TABLE questions (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL,
  asked TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'answered', 'withdrawn')),
  answer TEXT,
  closed INTEGER,
  CHECK ((answer IS NULL) = (state <> 'answered')),
  CHECK ((closed IS NULL) = (state = 'waiting'))
) STRICT;
CREATE TABLE kept (
  position INTEGER PRIMARY KEY,
  approval TEXT NOT NULL UNIQUE,
  kept TEXT NOT NULL,
  revoked INTEGER
) STRICT;
`;

/** Throws on another program's file, or a newer version. */
export function prepareTables(connection: Connection, file: string): void {
  connection.exec('PRAGMA foreign_keys = ON');
  // Deleted data are overwritten.
  connection.exec('PRAGMA secure_delete = ON');
  const isNew = !isCurrent(connection, file);
  useWriteAheadLog(connection, file);
  if (!isNew) {
    requireWhole(connection, file);
    return;
  }
  transaction(connection, 'IMMEDIATE', () => {
    // Another process may have been first.
    if (isCurrent(connection, file)) return;
    connection.exec(`${tables} PRAGMA application_id = ${application}; PRAGMA user_version = ${version};`);
  });
}

/** False for a new file. One statement, so concurrent changes are seen completely or not at all. */
function isCurrent({ rows }: Connection, file: string): boolean {
  const [row] = rows(
    'SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) AS entries FROM pragma_user_version, pragma_application_id',
  );
  const [is, of] = [Number(row?.user_version), row?.application_id];
  if (of === 0 && is === 0 && row?.entries === 0) return false;
  if (of !== application) throw new StoreError('DAMAGED', `${file} is a database of another program`);
  if (is > version)
    throw new StoreError(
      'NEWER',
      `${file} was written by a newer version of ambit (its tables have version ${is}, this one knows ${version}): use that one`,
    );
  if (is < 1) throw new StoreError('DAMAGED', `${file} has tables of version ${is}, which never existed`);
  return true;
}

/** Finds a cut or overwritten file at once; a larger file would take too long (1 ms for 1 MB). */
function requireWhole({ rows }: Connection, file: string): void {
  const [size] = rows('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size');
  if (Number(size?.bytes) > 64_000_000) return;
  const [row] = rows('PRAGMA quick_check(1)');
  if (row?.quick_check !== 'ok') throw damagedError(file, String(row?.quick_check).split('\n').at(-1) ?? '');
}

/** Several processes read while one writes, and commits survive a power cut. */
function useWriteAheadLog(connection: Connection, file: string): void {
  connection.exec('PRAGMA journal_mode = WAL');
  const [mode] = connection.rows('PRAGMA journal_mode');
  if (mode?.journal_mode !== 'wal')
    throw new StoreError('FAILED', `${file} cannot be shared by several processes on this file system`);
  connection.exec('PRAGMA synchronous = FULL');
}
