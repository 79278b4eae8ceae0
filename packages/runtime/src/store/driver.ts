import type libsql from 'libsql';
import { StoreError } from './store.js';

/** Parameters of SQL: ids, JSON as text, numbers. */
export type Value = string | number | null;
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
  readonly #database: libsql.Database;
  readonly #statements = new Map<string, libsql.Statement>();

  constructor(database: libsql.Database) {
    this.#database = database;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Reads all rows: an unfinished statement keeps its locks. Statements are cached for the same reason. */
  readonly rows: Query = (sql, ...values) => {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement.all([...values]) as Row[];
  };

  close(): void {
    this.#statements.clear();
    this.#database.close();
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
    throw new StoreError('NOT_LOADED', notLoaded(error));
  }
}

export function notLoaded(error: unknown): string {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return (
    `the embedded database cannot be loaded on this machine (${process.platform} ${process.arch}): ${why}. ` +
    'Runs can be neither stored nor resumed here, and `ambit approvals` and `ambit runs` do not work; all else does. ' +
    'It is the package `libsql`: npm install libsql'
  );
}
