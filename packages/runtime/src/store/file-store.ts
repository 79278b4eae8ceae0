import { join } from 'node:path';
import type { Answer, NonEmpty } from '@ambit/core';
import { type Database, openDatabase } from './database.js';
import type { Query, Row } from './driver.js';
import {
  type AskedQuestion,
  damaged,
  type RunRecord,
  type RunStatus,
  type Step,
  type Store,
  type StoredAnswer,
  type StoredQuestion,
  type StoredRun,
  StoreError,
  type Taken,
} from './store.js';
import { storedId, storedText } from './stored-text.js';

/**
 * The store of a working folder. Rejects a file that is damaged, newer, another user's, or locked longer than
 * `patience`.
 */
export async function openStore(folder: string, options: { patience?: number } = {}): Promise<Store> {
  const file = join(folder, 'runs.db');
  return new FileStore(await openDatabase(file, options), file);
}

class FileStore implements Store {
  readonly #database: Database;
  readonly #file: string;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  async begin(run: StoredRun): Promise<void> {
    const [id, text] = [storedId(run.id), storedText(run)];
    const add = `INSERT INTO runs (id, run, status, since) VALUES (?, ?, 'running', ?)`;
    await this.#database.write((query) => {
      const added = query(`${add} ON CONFLICT DO NOTHING RETURNING id`, id, text, run.begun);
      if (added.length === 0) throw new StoreError('REFUSED', `there is a run ${id} already`);
    });
  }

  async run(id: string): Promise<RunRecord | null> {
    const rows = await this.#database.read((query) => query('SELECT * FROM runs WHERE id = ?', storedId(id)));
    return rows.map((row) => this.#runOf(row))[0] ?? null;
  }

  async runs(): Promise<readonly RunRecord[]> {
    const rows = await this.#database.read((query) => query('SELECT * FROM runs ORDER BY position DESC'));
    return rows.map((row) => this.#runOf(row));
  }

  async setStatus(run: string, status: RunStatus, at: number): Promise<void> {
    const id = storedId(run);
    const change = 'UPDATE runs SET status = ?, since = ? WHERE id = ? RETURNING id';
    await this.#database.write((query) => {
      if (query(change, status, at, id).length === 0) throw noRun(id);
    });
  }

  async resume(run: string, { pid, at }: { readonly pid: number; readonly at: number }): Promise<void> {
    const id = storedId(run);
    await this.#database.write((query) => {
      const [row] = query('SELECT * FROM runs WHERE id = ?', id);
      if (row === undefined) throw noRun(id);
      const { status: _, since: __, ...run } = this.#runOf(row);
      const change = `UPDATE runs SET run = ?, status = 'running', since = ? WHERE id = ?`;
      query(change, storedText({ ...run, pid }), at, id);
    });
  }

  async forget(seen: Pick<RunRecord, 'id' | 'status' | 'since' | 'pid'>): Promise<boolean> {
    const id = storedId(seen.id);
    const isForgotten = await this.#database.write((query) => {
      const [row] = query('SELECT * FROM runs WHERE id = ?', id);
      if (row === undefined) return false;
      const { status, since, pid } = this.#runOf(row);
      if (status !== seen.status || since !== seen.since || pid !== seen.pid) return false;
      for (const question of query('SELECT * FROM questions'))
        if (this.#questionOf(question).run === id)
          query('DELETE FROM questions WHERE id = ?', question.id as string);
      query('DELETE FROM steps WHERE run = ?', id);
      query('DELETE FROM runs WHERE id = ?', id);
      return true;
    });
    if (isForgotten) await this.#database.settle();
    return isForgotten;
  }

  async append(run: string, steps: NonEmpty<Step>, when?: 'now' | 'soon'): Promise<void> {
    const id = storedId(run);
    const texts = steps.map((step) => storedText(step));
    await this.#database.write((query) => {
      if (query('SELECT 1 FROM runs WHERE id = ?', id).length === 0) throw noRun(id);
      for (const text of texts) query('INSERT INTO steps (run, step) VALUES (?, ?)', id, text);
    }, when);
  }

  async steps(run: string): Promise<readonly Step[]> {
    const rows = await this.#database.read((query) =>
      query('SELECT step FROM steps WHERE run = ? ORDER BY position', storedId(run)),
    );
    return rows.map(({ step }) => this.#valueOf<Step>(step));
  }

  async ask(question: AskedQuestion): Promise<void> {
    const [id, digest] = [storedId(question.question.id), storedId(question.digest)];
    const text = storedText(question);
    await this.#database.write((query) => {
      const [before] = query('SELECT digest, state FROM questions WHERE id = ?', id);
      if (before?.digest === digest && before.state !== 'withdrawn') return;
      query('DELETE FROM questions WHERE id = ?', id);
      query(`INSERT INTO questions (id, digest, asked, state) VALUES (?, ?, ?, 'waiting')`, id, digest, text);
    });
  }

  async question(id: string): Promise<StoredQuestion | null> {
    const rows = await this.#database.read((query) => questionRows(query, storedId(id)));
    return rows.map((row) => this.#questionOf(row))[0] ?? null;
  }

  async questions(): Promise<readonly StoredQuestion[]> {
    const rows = await this.#database.read((query) => query('SELECT * FROM questions ORDER BY position'));
    return rows.map((row) => this.#questionOf(row));
  }

  async answer(
    id: string,
    given: { readonly digest: string; readonly answer: Answer; readonly at: number },
  ): Promise<Taken> {
    const [key, text] = [storedId(id), storedText(given.answer)];
    return this.#database.write((query) => {
      const [before] = questionRows(query, key);
      if (before === undefined) return 'no_such_question';
      if (before.digest !== given.digest) return 'another_question';
      if (before.state === 'answered') return 'answered_before';
      if (before.state === 'withdrawn') return 'withdrawn';
      const change = `UPDATE questions SET state = 'answered', answer = ?, closed = ? WHERE id = ?`;
      query(change, text, given.at, key);
      return 'taken';
    });
  }

  async withdraw(id: string, at: number): Promise<void> {
    const key = storedId(id);
    const change = `UPDATE questions SET state = 'withdrawn', closed = ? WHERE id = ? AND state = 'waiting'`;
    await this.#database.write((query) => query(change, at, key));
  }

  async keep(kept: StoredAnswer): Promise<void> {
    const [approval, text] = [storedId(kept.answer.approval), storedText(kept)];
    const add = 'INSERT INTO kept (approval, kept, revoked) VALUES (?, ?, ?)';
    await this.#database.write((query) => {
      const added = query(`${add} ON CONFLICT DO NOTHING RETURNING approval`, approval, text, kept.revoked);
      if (added.length === 0) throw new StoreError('REFUSED', `the answer ${approval} is kept already`);
    });
  }

  async kept(): Promise<readonly StoredAnswer[]> {
    const rows = await this.#database.read((query) => query('SELECT * FROM kept ORDER BY position'));
    return rows.map((row) => ({
      ...this.#valueOf<StoredAnswer>(row.kept),
      revoked: row.revoked as number | null,
    }));
  }

  async revoke(approval: string, at: number): Promise<boolean> {
    const key = storedId(approval);
    const revoked = await this.#database.write((query) =>
      query('UPDATE kept SET revoked = ? WHERE approval = ? AND revoked IS NULL RETURNING approval', at, key),
    );
    return revoked.length > 0;
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #runOf(row: Row): RunRecord {
    return {
      ...this.#valueOf<StoredRun>(row.run),
      status: row.status as RunStatus,
      since: row.since as number,
    };
  }

  #questionOf(row: Row): StoredQuestion {
    return {
      ...this.#valueOf<AskedQuestion>(row.asked),
      state: row.state as StoredQuestion['state'],
      answer: row.answer === null ? null : this.#valueOf<Answer>(row.answer),
      closed: row.closed as number | null,
    };
  }

  /** Anything but JSON means a damaged file. */
  #valueOf<T>(text: Row[string] | undefined): T {
    try {
      return JSON.parse(text as string) as T;
    } catch {
      throw damaged(this.#file, 'it holds something that is not JSON');
    }
  }
}

function questionRows(query: Query, id: string): readonly Row[] {
  return query('SELECT * FROM questions WHERE id = ?', id);
}

function noRun(id: string): StoreError {
  return new StoreError('REFUSED', `there is no run ${id}`);
}
