import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '@ambit/core';
import Database from 'libsql';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { notLoadedText } from '../../src/store/driver.js';
import { openStore } from '../../src/store/file-store.js';
import type { Store } from '../../src/store/store.js';
import { asked, executing, kept, run } from './stored-things.js';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-store-')));
afterAll(() => rmSync(scratch, { recursive: true }));

let folder = scratch;
let file = scratch;
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'state-'));
  file = join(folder, 'runs.db');
});

const yes = { digest: 'one', answer: { answer: 'approve', person: 'ada' }, at: 2 } as const;

async function filled(): Promise<Store> {
  const store = await openStore(folder);
  await store.begin(run('a'));
  await store.append('a', [executing('1'), executing('2')]);
  await store.ask(asked('q'));
  await store.ask(asked('r'));
  await store.answer('q', yes);
  await store.keep(kept('k'));
  return store;
}

async function everythingIn(store: Store) {
  const runs = await store.runs();
  const steps = await Promise.all(runs.map(({ id }) => store.steps(id)));
  return { runs, steps, questions: await store.questions(), kept: await store.kept() };
}

/** What `openStore` says is wrong. */
async function refusal(options = {}): Promise<unknown> {
  try {
    const store = await openStore(folder, options);
    await store.close();
    return null;
  } catch (error) {
    return { code: (error as { code?: unknown }).code, message: (error as Error).message };
  }
}

describe('openStore', () => {
  it('returns all data from before', async () => {
    const store = await filled();
    const before = await everythingIn(store);
    await store.close();
    const again = await openStore(folder);
    expect(await everythingIn(again)).toEqual(before);
    expect(before.steps).toEqual([[executing('1'), executing('2')]]);
    expect(before.questions.map(({ state }) => state)).toEqual(['answered', 'waiting']);
    await again.close();
  });

  it('sees changes of another process while it is open', async () => {
    const [one, other] = [await filled(), await openStore(folder)];
    expect(await everythingIn(other)).toEqual(await everythingIn(one));
    await one.append('a', [executing('3')]);
    expect(await other.steps('a')).toHaveLength(3);
    expect(await other.answer('q', yes)).toBe('answered_before');
    await Promise.all([one.close(), other.close()]);
  });

  it('creates files that only their owner may read, under any umask', async () => {
    const umask = process.umask(0);
    try {
      const store = await filled();
      const modes = readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]);
      expect(modes).toEqual([
        ['runs.db', '600'],
        ['runs.db-shm', '600'],
        ['runs.db-wal', '600'],
      ]);
      await store.close();
    } finally {
      process.umask(umask);
    }
  });

  it('removes read access of others', async () => {
    const store = await filled();
    for (const ending of ['', '-wal', '-shm']) chmodSync(`${file}${ending}`, 0o644);
    const again = await openStore(folder);
    expect(['', '-wal', '-shm'].map((ending) => modeOf(`${file}${ending}`))).toEqual(['600', '600', '600']);
    await Promise.all([store.close(), again.close()]);
  });

  it.each(['', '-wal', '-shm'])('refuses a file runs.db%s that others may write', async (ending) => {
    const store = await filled();
    chmodSync(`${file}${ending}`, 0o620);
    expect(await refusal()).toEqual({
      code: 'UNSAFE_FILE',
      message: `${file}${ending} may be written by others`,
    });
    await store.close();
  });

  it.each(['', '-wal', '-shm'])('refuses a file runs.db%s that is a link', async (ending) => {
    await (await filled()).close();
    const elsewhere = join(folder, 'elsewhere');
    if (ending === '') copyFileSync(file, elsewhere);
    else writeFileSync(elsewhere, '');
    rmSync(`${file}${ending}`, { force: true });
    symlinkSync(elsewhere, `${file}${ending}`);
    expect(await refusal()).toEqual({ code: 'UNSAFE_FILE', message: `${file}${ending} is a symbolic link` });
  });

  it('refuses anything except a regular file', async () => {
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(scratch, 'state-'));
    file = join(folder, 'runs.db');
    symlinkSync('/nowhere', file);
    expect(await refusal()).toEqual({ code: 'UNSAFE_FILE', message: `${file} is a symbolic link` });
  });

  it.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['that is text', () => Buffer.from('no database at all\n'.repeat(500)), /file is not a database/],
    ['that was cut', (bytes) => bytes.subarray(0, bytes.length - 5000), /damaged \([^\n]+ on page 9\)/],
    ['whose tables were overwritten', (bytes) => Buffer.from(bytes).fill(0xaa, 200, 9000), /malformed/],
    ['whose head was overwritten', (bytes) => Buffer.from(bytes).fill(0xaa, 0, 90), /not a database/],
  ])('reports a damaged file %s, and what to do', async (_, damage, why) => {
    await settled();
    writeFileSync(file, damage(readFileSync(file)));
    const found = (await damageOf()) as { code: string; message: string };
    expect(found.code).toBe('DAMAGED');
    expect(found.message).toMatch(why);
    expect(found.message).toContain(`${file} is damaged`);
    expect(found.message).toContain('put it back from a backup, or move it away');
  });

  it('reports a file that contains invalid JSON', async () => {
    await settled();
    const database = new Database(file);
    database.exec(`UPDATE steps SET step = 'half of {'`);
    database.close();
    expect(await damageOf()).toEqual({
      code: 'DAMAGED',
      message: expect.stringContaining(`${file} is damaged (it holds something that is not JSON): `),
    });
  });

  it.each(['chain', 'policies', 'approval'])('reports a kept answer without `%s`', async (key) => {
    const store = await openStore(folder);
    await store.keep(kept('k1'));
    await store.close();
    const database = new Database(file);
    database.exec(`UPDATE kept SET kept = json_remove(kept, '$.answer.${key}')`);
    database.close();
    const edited = await openStore(folder);
    await expect(edited.kept()).rejects.toMatchObject({
      code: 'DAMAGED',
      message: expect.stringContaining(`${file} is damaged (the kept answer k1 has another form): `),
    });
    await edited.close();
  });

  it.each([
    ['the run a', `UPDATE runs SET run = '[]'`],
    ['the run a', `UPDATE runs SET run = json_remove(run, '$.options')`],
    ['the question q', `UPDATE questions SET asked = json_remove(asked, '$.question.args') WHERE id = 'q'`],
    ['the question q', `UPDATE questions SET answer = '"yes"' WHERE id = 'q'`],
    ['a step of the run a', `UPDATE steps SET step = '{"step":"executing"}'`],
    ['a step of the run a', `UPDATE steps SET step = '{"step":"toString"}'`],
  ])('reports that %s was edited: %s', async (what, edit) => {
    await settled();
    const database = new Database(file);
    database.exec(edit);
    database.close();
    expect(await damageOf()).toEqual({
      code: 'DAMAGED',
      message: expect.stringContaining(`${file} is damaged (${what} has another form): `),
    });
  });

  it('reads every answer that an approver from code gave, also an invalid one', async () => {
    const store = await openStore(folder);
    await store.ask(asked('q'));
    const invalid = { answer: 'perhaps' } as unknown as Answer;
    expect(await store.answer('q', { digest: 'one', answer: invalid, at: 2000 })).toBe('taken');
    expect((await store.questions()).map(({ answer }) => answer)).toEqual([invalid]);
    await store.close();
  });

  it('leaves a damaged file unchanged', async () => {
    writeFileSync(file, 'no database at all\n'.repeat(500), { mode: 0o600 });
    await refusal();
    expect(readFileSync(file, 'utf8')).toBe('no database at all\n'.repeat(500));
  });

  it('refuses a file of a newer version, and leaves it unchanged', async () => {
    await settled();
    const database = new Database(file);
    database.exec('PRAGMA user_version = 2');
    database.close();
    expect(await refusal()).toEqual({
      code: 'NEWER',
      message: `${file} was written by a newer version of ambit (its tables have version 2, this one knows 1): use that one`,
    });
  });

  it.each(['CREATE TABLE notes (text)', 'PRAGMA user_version = 1', 'PRAGMA application_id = 7'])(
    'refuses a database of another program: %s',
    async (sql) => {
      const database = new Database(file);
      database.exec(sql);
      database.close();
      chmodSync(file, 0o600);
      expect(await refusal()).toEqual({
        code: 'DAMAGED',
        message: `${file} is a database of another program`,
      });
    },
  );

  it('accepts an empty file, which a power cut may leave', async () => {
    writeFileSync(file, '', { mode: 0o600 });
    await (await filled()).close();
  });

  it('reports a file that was emptied beside its log, and loses nothing else', async () => {
    const store = await filled();
    truncateSync(file);
    const log = readFileSync(`${file}-wal`);
    expect(log.length).toBeGreaterThan(0);
    expect(await refusal()).toEqual({
      code: 'DAMAGED',
      message: `${file} is damaged (it is empty, and the file runs.db-wal beside it is not): put it back from a backup, or move it away, and a new one is made without the runs, questions and kept answers in it`,
    });
    expect(readFileSync(`${file}-wal`)).toEqual(log);
    await expect(store.append('a', [executing('3')])).rejects.toThrow(
      `${file} was removed, replaced or emptied while it was in use`,
    );
    renameSync(file, join(folder, 'away'));
    await (await filled()).close();
    await store.close();
  });

  it('creates one store for several simultaneous openings', async () => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(folder)));
    await Promise.all(stores.map((store, index) => store.begin(run(`r${index}`))));
    expect(await stores[0]?.runs()).toHaveLength(10);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('opens a new file that another process locked and a third one created meanwhile', async () => {
    const other = new Database(file);
    chmodSync(file, 0o600);
    other.exec('BEGIN EXCLUSIVE');
    const opened = openStore(folder, { patience: 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 150));
    other.exec('ROLLBACK');
    other.close();
    await (await filled()).close();
    const store = await opened;
    expect(await store.runs()).toHaveLength(1);
    await store.close();
  });

  it('gives up without effect on a file that another process keeps locked', async () => {
    await settled();
    const store = await openStore(folder, { patience: 100 });
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.begin(run('b'))).rejects.toMatchObject({
      code: 'LOCKED',
      message: `${file}: another process has kept it locked for more than 0.1 s`,
    });
    // What only reads needs not wait.
    expect(await store.runs()).toHaveLength(1);
    other.exec('ROLLBACK');
    expect(await store.runs()).toHaveLength(1);
    await store.begin(run('b'));
    expect(await store.runs()).toHaveLength(2);
    await store.close();
  });

  it('waits for a file that another process locks briefly', async () => {
    const store = await filled();
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const begun = store.begin(run('b'));
    await new Promise((resolve) => setTimeout(resolve, 150));
    other.exec('ROLLBACK');
    await begun;
    expect(await store.runs()).toHaveLength(2);
    await store.close();
  });

  it('writes nothing into a removed file', async () => {
    const store = await filled();
    rmSync(file);
    const gone = `${file} was removed, replaced or emptied while it was in use`;
    await expect(store.append('a', [executing('3')])).rejects.toThrow(gone);
    writeFileSync(file, '', { mode: 0o600 });
    await expect(store.append('a', [executing('3')])).rejects.toThrow(gone);
    await store.close();
  });

  it.each(['-wal', '-shm'])('writes nothing if the file runs.db%s beside it is gone', async (ending) => {
    const store = await filled();
    rmSync(`${file}${ending}`);
    const gone = `${file}${ending} was removed, replaced or emptied while it was in use`;
    await expect(store.append('a', [executing('3')])).rejects.toThrow(gone);
    await store.close();
  });

  it('keeps no data of a forgotten run', async () => {
    const store = await openStore(folder);
    const secret = 'forget-me-'.repeat(2000);
    for (const id of ['a', 'b']) {
      await store.begin({ ...run(id), worker: `${id}-worker` });
      await store.append(id, [
        { step: 'executed', call: 'c', came: { result: `${id}-result ${secret}` } },
        executing(`${id}-call`),
      ]);
      await store.ask({ ...asked(`${id}-question`), run: id });
    }
    const record = await store.run('a');
    if (record === null) throw new Error('it is there');
    expect(await store.forget(record)).toBe(true);
    await store.close();
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
    const found = ['result', 'call', 'question', 'worker'].map((what) =>
      ['a', 'b'].map((id) => text.includes(`${id}-${what}`)),
    );
    expect(found).toEqual(found.map(() => [false, true]));
    // What is long lies on pages of its own, which are free now; a page may end within a word.
    const words = text.split('forget-me-').length - 1;
    expect([words > 1900, words <= 2000]).toEqual([true, true]);
  });

  it('reports a place where no store can be created', async () => {
    folder = join(folder, 'missing');
    const found = (await refusal()) as { code: string; message: string };
    expect(found.code).toBe('FAILED');
    expect(found.message).toContain(join(folder, 'runs.db'));
  });
});

describe('notLoadedText', () => {
  it('explains which features work without the native module', () => {
    const said = notLoadedText(
      new Error("Cannot find module '@libsql/plan9-mips'\nRequire stack:\n- a\n- b"),
    );
    expect(said).toBe(
      `the embedded database cannot be loaded on this machine (${process.platform} ${process.arch}): Cannot find module '@libsql/plan9-mips'. ` +
        'Runs can be neither stored nor resumed here, and `ambit approvals` and `ambit runs` do not work; all else does. ' +
        'It is the package `libsql`: npm install libsql',
    );
  });
});

/** A file that holds everything itself: nothing of it lies beside it. */
async function settled(): Promise<void> {
  await (await filled()).close();
  const database = new Database(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
}

/** Where opening does not say it, reading does. */
async function damageOf(): Promise<unknown> {
  const opening = await refusal();
  if (opening !== null) return opening;
  const store = await openStore(folder);
  try {
    await everythingIn(store);
    return null;
  } catch (error) {
    return { code: (error as { code?: unknown }).code, message: (error as Error).message };
  } finally {
    await store.close();
  }
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
