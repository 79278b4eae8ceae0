import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDeep } from '../../../../../test/depth.js';
import { mostObjects } from '../../../src/listing/git/store/objects.js';
import { project } from '../../read/world.js';
import { commit, git } from './repository.js';

describe.skipIf(!isDeep)('a history that is too long to be read', () => {
  const { root: folder, describe: described } = project();

  beforeAll(() => {
    git(folder, 'init', '-q', '-b', 'main');
    const file = (name: string) => `M 100644 inline ${name}\ndata 2\na\n\n`;
    const one = (at: number) => `commit refs/heads/main\ncommitter A <a@b.c> ${at} +0000\ndata 0\n`;
    const first = `${one(1)}${file('a.ts')}${file('b/.env')}${one(2)}D b/.env\n`;
    const rest = Array.from({ length: mostObjects }, (_, index) => one(index + 3)).join('');
    execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: first + rest });
    git(folder, 'reset', '-q', '--hard');
    for (const branch of ['plain', 'leak']) {
      git(folder, 'checkout', '-q', '-b', branch, 'main');
      commit(folder, { [branch === 'leak' ? '.env' : 'c.ts']: 'NAME=1\n' });
      git(folder, 'checkout', '-q', 'main');
    }
    commit(folder, { 'a.ts': 'b\n' });
  });

  const unsure = async (line: string) =>
    (await described(line)).flatMap(({ name, why, path }) =>
      name === 'secret.read' ? [path ?? 'unknown'] : name === 'proc.exec.opaque' ? [why] : [],
    );

  it.each([
    'git log -p a.ts',
    'git log -p main..plain',
    'git log -p plain..',
    'git diff main...plain',
    'git diff leak...main',
    'git log -p -3',
    'git range-diff main...plain',
    'git commit -qm x && git diff main -- a.ts',
    'git commit -qm x && git diff main -- b',
    'git commit -qm x && git diff plain~1..main -- a.ts',
  ])('is not asked about with `%s`', async (line) => {
    expect(await unsure(line)).toEqual([]);
  });

  it.each(['git log -p main..leak', 'git diff main...leak', 'git range-diff main...leak'])(
    'has the secrets of `%s`',
    async (line) => {
      expect(await unsure(line)).toEqual([`${folder}/.env`]);
    },
  );

  it.each(['git log -p', 'git log -p -- b', 'git log -p -G x'])('is a question with `%s`', async (line) => {
    expect(await unsure(line)).toEqual([expect.stringContaining('the history may hold secrets')]);
  });

  it('does not take a file for a commit', async () => {
    git(folder, 'tag', 'file', 'leak:.env');
    const made = 'git commit -qm x && git diff';
    for (const line of [`${made} file -- a.ts`, `${made} file main -- a.ts`, `${made} main:b -- a.ts`])
      expect(await unsure(line), line).not.toEqual([]);
    const moved = 'git commit -qm x; git rev-parse file > .git/refs/tags/main; git diff main -- a.ts';
    expect(await unsure(moved)).not.toEqual([]);
    git(folder, 'tag', '-d', 'file');
  });
});
