import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellAt } from '../../src/index.js';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rsync-')));
  for (const name of ['src/a', 'src/in/b', 'dst/old', 'one']) put(name);
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), name);
}

async function capabilities(command: string): Promise<readonly Capability[]> {
  const [tool] = shellAt(folder, { home: '/nonexistent', guarded: [] }).tools;
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command }, context))?.capabilities ?? [];
}

/** The files that are written, below the folder; null if there may be others. */
async function written(command: string): Promise<readonly string[] | null> {
  const all = await capabilities(command);
  if (all.some(({ name }) => name === 'proc.exec.opaque')) return null;
  const sets = all.filter(({ name }) => name.startsWith('fs.write'));
  const found = sets.flatMap(({ path }) =>
    typeof path === 'string' ? [path] : ((path as { paths?: readonly string[] } | undefined)?.paths ?? []),
  );
  const isOpen = sets.some(({ path }) => typeof path === 'object' && path !== null && 'open' in path);
  return isOpen ? null : [...new Set(found)].map((path) => path.slice(folder.length + 1)).sort();
}

const lines: readonly (readonly [string, readonly string[]])[] = [
  ['rsync -a src/ dst/', ['dst', 'dst/a', 'dst/in', 'dst/in/b']],
  ['rsync -a src dst', ['dst/src', 'dst/src/a', 'dst/src/in', 'dst/src/in/b']],
  ['rsync -a src new', ['new/src', 'new/src/a', 'new/src/in', 'new/src/in/b']],
  ['rsync -av --exclude=b src/ new/', ['new', 'new/a', 'new/in', 'new/in/b']],
  ['rsync -r one dst', ['dst/one']],
  ['rsync -r one new', ['new']],
  ['rsync -a one src/in dst', ['dst/in', 'dst/in/b', 'dst/one']],
];

describe('rsync between folders', () => {
  it.each(lines)('names the files that `%s` writes', async (line, files) => {
    expect(await written(line)).toEqual(files);
  });

  it.skipIf(spawnSync('rsync', ['--version']).status !== 0).each(lines)(
    'names the files that rsync itself writes for `%s`',
    (line, files) => {
      const { stdout } = spawnSync('sh', ['-c', `${line} >&2; find dst new -type f ! -name old`], {
        cwd: folder,
      });
      const made = stdout.toString().split('\n').slice(0, -1);
      expect([made.length > 0, made.filter((path) => !files.includes(path))]).toEqual([true, []]);
    },
  );

  it.each([
    'rsync -a src/ host:dst',
    'rsync -a src/ dst/ --delete',
    'rsync -aL src/ dst/',
    'rsync -ab src/ dst/',
    'rsync -aR src/ dst/',
    'rsync -a --log-file=x src/ dst/',
    'rsync -a "$(cat one)" dst/',
    'rsync src dst',
    'tar xf x.tar; rsync -a src/ dst/',
  ])('does not name them for `%s`', async (line) => {
    expect(await written(line)).toBe(null);
  });

  it.each(['rsync -an --delete src/ dst', 'rsync -a --dry-run src/ dst/'])(
    'only reads for `%s`',
    async (line) => {
      const names = (await capabilities(line)).map(({ name }) => name);
      expect(new Set(names)).toEqual(new Set(['proc.exec', 'fs.read', 'fs.list']));
    },
  );

  it('does not name them where a file is in the way of a folder', async () => {
    for (const name of ['dst/in', 'dst/src']) put(name);
    expect(await written('rsync -a src/ dst/')).toBe(null);
    expect(await written('rsync -a src dst')).toBe(null);
    expect(await written('rsync -a src/a dst')).toEqual(['dst/a']);
  });

  it('gives a link the new name, as it does with a file', async () => {
    symlinkSync('one', join(folder, 'to'));
    expect(await written('rsync -a to new')).toEqual(['new']);
    expect(await written('rsync -a to dst')).toEqual(['dst/to']);
  });

  it('copies a link in the folder as a link', async () => {
    mkdirSync(join(folder, 'linked'));
    symlinkSync('/etc/passwd', join(folder, 'linked/out'));
    expect(await written('rsync -a linked/ other/')).toEqual(['other', 'other/out']);
  });

  it('does not name them if a link is there', async () => {
    symlinkSync('/etc', join(folder, 'dst/in'));
    expect(await written('rsync -a src/ dst/')).toBe(null);
  });
});
