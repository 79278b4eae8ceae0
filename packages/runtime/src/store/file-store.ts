import { join } from 'node:path';
import type { Answer } from '@ambit/core';
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
import { storedForms } from './stored-forms.js';
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
  const { formed, parsed } = rowReader(file);
  return {
    runs: tableIn(query, {
      name: 'runs',
      key: 'id',
      toRow: ({ status, since, ...run }) => ({ run: storedText(run), status, since }),
      toValue: ({ id, run, status, since }) =>
        formed('run', id, {
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
      toValue: ({ id, asked, state, answer, closed }) =>
        formed('question', id, {
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
      toValue: ({ approval, kept, revoked }) =>
        formed('kept', approval, { ...parsed<StoredAnswer>(kept), revoked: revoked as number | null }),
    }),
    steps: {
      add(run, steps) {
        for (const step of steps) query('INSERT INTO steps (run, step) VALUES (?, ?)', run, storedText(step));
      },
      of: (run) =>
        query('SELECT step FROM steps WHERE run = ? ORDER BY position', storedId(run)).map(({ step }) =>
          formed('step', run, parsed<Step>(step)),
        ),
      delete: (run) => query('DELETE FROM steps WHERE run = ?', run),
    },
  };
}

/** Reads rows; other values mean a damaged file. */
function rowReader(file: string) {
  return { formed, parsed };

  function formed<T>(kind: keyof typeof nouns, id: Row[string] | undefined, value: T): T {
    if (storedForms[kind](value)) return value;
    throw damagedError(file, `${nouns[kind]} ${String(id)} has another form`);
  }

  /** Anything but JSON means a damaged file. */
  function parsed<T>(text: Row[string] | undefined): T {
    try {
      return JSON.parse(text as string) as T;
    } catch {
      throw damagedError(file, 'it holds something that is not JSON');
    }
  }
}

const nouns = {
  run: 'the run',
  question: 'the question',
  kept: 'the kept answer',
  step: 'a step of the run',
};

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
