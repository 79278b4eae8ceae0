import { join } from 'node:path';
import { type Answer, isObject } from '@ambit/core';
import { openDatabase } from './database.js';
import type { Query, Row } from './driver.js';
import {
  type AskedQuestion,
  damagedError,
  type RunStatus,
  type Step,
  type Store,
  type StoredAnswer,
  type StoredQuestion,
  type StoredRun,
} from './store.js';
import { storedId, storedText } from './stored-text.js';
import { type Table, type Tables, tableStore } from './table-store.js';

/**
 * The store of a working folder. Rejects a file that is damaged, newer, another user's, or locked longer than
 * `patience`.
 */
export async function openStore(folder: string, options: { patience?: number } = {}): Promise<Store> {
  const file = join(folder, 'runs.db');
  const database = await openDatabase(file, options);
  return tableStore({
    read: (work) => database.read((query) => work(tablesIn(file, query))),
    write: (work, when) => database.write((query) => work(tablesIn(file, query)), when),
    settle: () => database.settle(),
    close: () => database.close(),
  });
}

/** Opens the store of a working folder for this work alone. */
export async function inStore<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(folder);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function tablesIn(file: string, query: Query): Tables {
  return {
    runs: tableIn(query, {
      name: 'runs',
      key: 'id',
      toRow: ({ status, since, ...run }) => ({ run: storedText(run), status, since }),
      toValue: ({ run, status, since }) => ({
        ...parsed<StoredRun>(run),
        status: status as RunStatus,
        since: since as number,
      }),
    }),
    questions: tableIn(query, {
      name: 'questions',
      key: 'id',
      toRow: ({ state, answer, closed, ...asked }) => ({
        digest: asked.digest,
        asked: storedText(asked),
        state,
        answer: answer === null ? null : storedText(answer),
        closed,
      }),
      toValue: ({ asked, state, answer, closed }) => ({
        ...parsed<AskedQuestion>(asked),
        state: state as StoredQuestion['state'],
        answer: answer === null ? null : parsed<Answer>(answer),
        closed: closed as number | null,
      }),
    }),
    kept: tableIn(query, {
      name: 'kept',
      key: 'approval',
      toRow: (kept) => ({ kept: storedText(kept), revoked: kept.revoked }),
      toValue: ({ approval, kept, revoked }) => {
        const stored = parsed<StoredAnswer>(kept);
        if (!isStoredAnswer(stored)) throw damagedError(file, `the kept answer ${approval} has another form`);
        return { ...stored, revoked: revoked as number | null };
      },
    }),
    steps: {
      add(run, steps) {
        for (const step of steps) query('INSERT INTO steps (run, step) VALUES (?, ?)', run, storedText(step));
      },
      of: (run) =>
        query('SELECT step FROM steps WHERE run = ? ORDER BY position', storedId(run)).map(({ step }) =>
          parsed<Step>(step),
        ),
      delete: (run) => query('DELETE FROM steps WHERE run = ?', run),
    },
  };

  /** Anything but JSON means a damaged file. */
  function parsed<T>(text: Row[string] | undefined): T {
    try {
      return JSON.parse(text as string) as T;
    } catch {
      throw damagedError(file, 'it holds something that is not JSON');
    }
  }
}

/** A row that was edited by hand may be any JSON. */
function isStoredAnswer(stored: unknown): boolean {
  if (!isObject(stored) || !isObject(stored.answer)) return false;
  const { approval, person, chain, tool, args, shown, policies, remember, reach, until } = stored.answer;
  const areTexts = (values: readonly unknown[]) => values.every((value) => typeof value === 'string');
  const areNumbers = (values: readonly unknown[]) => values.every(Number.isFinite);
  return (
    areTexts([stored.run, stored.tool, approval, person, tool, remember, reach]) &&
    areNumbers([stored.at, until ?? 0]) &&
    [chain, policies, stored.policies].every((list) => Array.isArray(list) && areTexts(list)) &&
    isObject(args) &&
    Array.isArray(shown) &&
    shown.every((capability) => isObject(capability) && areTexts([capability.name]))
  );
}

interface Form<Value> {
  readonly name: string;
  readonly key: string;
  readonly toRow: (value: Value) => Row;
  readonly toValue: (row: Row) => Value;
}

function tableIn<Value>(query: Query, { name, key, toRow, toValue }: Form<Value>): Table<Value> {
  return {
    has: (id) => query(`SELECT 1 FROM ${name} WHERE ${key} = ?`, storedId(id)).length > 0,
    get: (id) => query(`SELECT * FROM ${name} WHERE ${key} = ?`, storedId(id)).map(toValue)[0] ?? null,
    all: () => query(`SELECT * FROM ${name} ORDER BY position`).map(toValue),
    put(id, value) {
      const row = { [key]: storedId(id), ...toRow(value) };
      const marks = Object.keys(row).map(() => '?');
      query(`DELETE FROM ${name} WHERE ${key} = ?`, id);
      query(
        `INSERT INTO ${name} (${Object.keys(row).join()}) VALUES (${marks.join()})`,
        ...Object.values(row),
      );
    },
    change(id, value) {
      const row = toRow(value);
      const columns = Object.keys(row).map((column) => `${column} = ?`);
      query(`UPDATE ${name} SET ${columns.join()} WHERE ${key} = ?`, ...Object.values(row), id);
    },
    delete: (id) => query(`DELETE FROM ${name} WHERE ${key} = ?`, id),
  };
}
