import type libsql from 'libsql';
import { StoreError } from './store-error.js';

export type Connection = libsql.Database;

/** Opens a database file with the native module, which is loaded at the first use. */
export async function connect(file: string, wait: number): Promise<Connection> {
  const { default: Database } = await load();
  return new Database(file, { timeout: wait });
}

async function load(): Promise<{ readonly default: typeof libsql }> {
  try {
    return await import('libsql');
  } catch (error) {
    throw new StoreError('NOT_LOADED', notLoaded(error));
  }
}

/** What still works without it, so that nobody looks for it where it is not wanted. */
export function notLoaded(error: unknown): string {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return (
    `the embedded database cannot be loaded on this machine (${process.platform} ${process.arch}): ${why}. ` +
    'Runs can be neither stored nor resumed here, and `ambit approvals` and `ambit runs` do not work; all else does. ' +
    'It is the package libsql: was it installed without optional dependencies, or for another platform?'
  );
}
