import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadWorkers } from '../../src/catalogue/worker-registry.js';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-registry-')));
afterAll(() => rmSync(scratch, { recursive: true }));

let count = 0;
/** A folder with these workers: what stands above the line `---`. */
function folderOf(headers: Readonly<Record<string, string>>): string {
  count += 1;
  const folder = join(scratch, String(count));
  mkdirSync(folder);
  for (const [name, header] of Object.entries(headers))
    writeFileSync(join(folder, `${name}.worker`), text(header));
  return folder;
}
const text = (header: string) => `${header}\n---\nDo it.\n`;

/** The workers that are loaded from a path, and what is wrong, as it is shown. */
async function load(path: string, root = scratch) {
  const { workers, problems, entry } = await loadWorkers(path, { root, shared: [] });
  const wrong = problems.map(
    ({ code, diagnostic }) => `${diagnostic?.file}:${diagnostic?.line}:${diagnostic?.column} ${code}`,
  );
  return { workers: [...workers.keys()], wrong, entry };
}

const team = {
  main: 'toolsets: { reader: {} }',
  reader: 'toolsets: { delegation: { allow_workers: [scribe] } }',
  scribe: 'toolsets: { filesystem: {} }',
  stranger: 'max_depth: 0',
};

describe('loadWorkers', () => {
  it('loads the worker of a file and the workers that it can reach, and no others', async () => {
    const folder = folderOf(team);
    expect(await load(join(folder, 'main.worker'))).toEqual({
      workers: ['main', 'reader', 'scribe'],
      wrong: [],
      entry: 'main',
    });
    expect(await load(join(folder, 'scribe.worker'))).toEqual({
      workers: ['scribe'],
      wrong: [],
      entry: 'scribe',
    });
  });

  it('reports a worker with two paths to it once', async () => {
    const folder = folderOf({
      main: 'toolsets: { reader: {}, delegation: { allow_workers: [reader, "*"] } }',
      reader: 'max_depth: 0',
    });
    expect((await load(join(folder, 'main.worker'))).wrong).toEqual([
      `${folder.slice(scratch.length + 1)}/reader.worker:1:12 BAD_VALUE`,
    ]);
  });

  it('loads many workers that reach one another', async () => {
    const all = 'toolsets: { delegation: { allow_workers: ["*"] } }';
    const folder = folderOf(
      Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`w${index}`, all])),
    );
    expect((await load(join(folder, 'w0.worker'))).workers).toHaveLength(600);
  });

  it('loads every worker of a folder', async () => {
    const folder = folderOf(team);
    expect(await load(folder)).toEqual({
      workers: ['main', 'reader', 'scribe'],
      wrong: [`${folder.slice(scratch.length + 1)}/stranger.worker:1:12 BAD_VALUE`],
      entry: null,
    });
  });

  it('loads every worker for one that may call all of them', async () => {
    const folder = folderOf({ ...team, main: 'toolsets: { delegation: { allow_workers: ["*"] } }' });
    const { workers, wrong } = await load(join(folder, 'main.worker'), folder);
    expect(workers).toEqual(['main', 'reader', 'scribe']);
    expect(wrong).toEqual(['stranger.worker:1:12 BAD_VALUE']);
  });

  it('loads workers that call themselves and each other once', async () => {
    const folder = folderOf({ main: 'toolsets: { main: {}, other: {} }', other: 'toolsets: { main: {} }' });
    expect(await load(join(folder, 'main.worker'))).toEqual({
      workers: ['main', 'other'],
      wrong: [],
      entry: 'main',
    });
  });

  it('reports the mistakes of every reachable worker', async () => {
    const folder = folderOf({
      main: 'max_depht: 1\ntoolsets: { reader: {}, scribe: {} }',
      reader: 'model: x',
      scribe: 'toolsets: { stranger: {} }',
      stranger: 'locked: 1',
    });
    expect(await load(join(folder, 'main.worker'), folder)).toEqual({
      workers: ['scribe'],
      wrong: ['main.worker:1:1 UNKNOWN_KEY', 'reader.worker:1:8 BAD_MODEL', 'stranger.worker:1:9 WRONG_TYPE'],
      entry: 'main',
    });
  });

  it('returns the place and content of a worker file', async () => {
    const folder = folderOf({ main: 'name: main' });
    const path = join(folder, 'main.worker');
    const sha256 = createHash('sha256').update(text('name: main')).digest('hex');
    const inside = await loadWorkers(path, { root: folder, shared: [] });
    expect(inside.workers.get('main')).toMatchObject({ file: 'main.worker', path, sha256 });
    const outside = await loadWorkers(path, { root: join(folder, 'elsewhere'), shared: [] });
    expect(outside.workers.get('main')).toMatchObject({ file: path, path, sha256 });
  });

  it('shows a name that begins with two dots unchanged', async () => {
    const folder = folderOf({ '..main': '' });
    expect((await load(folder, folder)).wrong).toEqual(['..main.worker:1:1 BAD_WORKER_NAME']);
  });

  it('refuses an invalid or reserved name', async () => {
    const folder = folderOf({ Main: '', shell: '', '': '' });
    expect((await load(folder, folder)).wrong).toEqual([
      '.worker:1:1 BAD_WORKER_NAME',
      'Main.worker:1:1 BAD_WORKER_NAME',
      'shell.worker:1:1 BAD_WORKER_NAME',
    ]);
  });

  it.each(['gone.worker', 'gone', ''])('reports the missing worker %j', async (name) => {
    const wrong = [`${join('nowhere', name)}:1:1 CANNOT_READ`];
    expect(await load(join(scratch, 'nowhere', name))).toEqual({ workers: [], wrong, entry: null });
  });

  it('reports a worker file that is a folder, a broken link or endless', async () => {
    const folder = folderOf({ main: 'toolsets: { one: {}, two: {}, three: {}, four: {} }' });
    mkdirSync(join(folder, 'one.worker'));
    symlinkSync('nowhere', join(folder, 'two.worker'));
    symlinkSync('/dev/zero', join(folder, 'three.worker'));
    execFileSync('mkfifo', [join(folder, 'four.worker')]);
    expect((await load(join(folder, 'main.worker'), folder)).wrong).toEqual(
      ['one', 'two', 'three', 'four'].map((name) => `${name}.worker:1:1 CANNOT_READ`),
    );
    expect((await load(join(folder, 'three.worker'))).wrong).toEqual([
      `${folder.slice(scratch.length + 1)}/three.worker:1:1 CANNOT_READ`,
    ]);
  });

  it('reads no file outside the folder', async () => {
    const folder = folderOf({
      main: 'toolsets: { delegation: { allow_workers: ["../1/main", "../main"] } }',
    });
    expect((await load(join(folder, 'main.worker'), folder)).wrong).toEqual([
      'main.worker:1:43 UNKNOWN_WORKER',
      'main.worker:1:56 UNKNOWN_WORKER',
    ]);
  });
});
