import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type Capability, fileSetOf } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import { describeCommand } from '../../../src/describe/describe-command.js';
import { started } from '../../starter.js';
import { commit, copyOf, git, repositoryOf } from './repository.js';

/** The last commit added `new` and `docs`, and took `.env` out. */
const original = repositoryOf({ a: 'a\n', '.env': 'K=1\n' });
git(original, 'rm', '-q', '--cached', '.env');
commit(original, { '.gitignore': '.env\n', new: 'n\n', 'docs/d': 'd\n' });
git(original, 'rm', '-q', '--cached', '.env');
git(original, 'commit', '-q', '--amend', '-m', 'x');

async function described(folder: string, command: string): Promise<readonly Capability[]> {
  const roots = openRoots([{ name: 'w', folder, mode: 'rw' }], { home: '/nonexistent', naming: 'by_path' });
  return (await describeCommand({ command }, { roots, home: '/nonexistent' })).capabilities;
}

/** The paths of capabilities with this name, below the folder. */
function pathsOf(name: string, capabilities: readonly Capability[], folder: string): readonly string[] {
  const found = capabilities.flatMap((each) => {
    if (each.name !== name) return [];
    return typeof each.path === 'string' ? [each.path] : (fileSetOf(each.path)?.paths ?? []);
  });
  return found.map((path) => path.slice(folder.length + 1));
}

describe('a file that left the index in the same line', () => {
  it.each([
    'git rm -q --cached a; git clean -fd',
    'git rm -q --cached -r docs; git clean -fd docs',
    'git rm -q --cached -r docs; rm $(git ls-files -o docs)',
    'git reset -q HEAD~1; git clean -fd',
    'git restore --staged --source=HEAD~1 .; git clean -fd',
    'git restore --staged --source=HEAD~1 new; git clean -fdx new',
  ])('is named by the command that deletes it: %s', async (line) => {
    const folder = copyOf(original);
    const capabilities = await described(folder, line);
    started(folder, 'bash', '-c', line.replaceAll(/\bgit\b/g, 'git -c user.name=A -c user.email=a@b.c'));
    const gone = ['a', 'new', 'docs', 'docs/d'].filter((path) => !existsSync(join(folder, path)));
    expect(gone).not.toEqual([]);
    expect(pathsOf('fs.delete', capabilities, folder)).toEqual(expect.arrayContaining(gone));
  });

  it.each(['git reset -q; git clean -fd', 'git checkout -q HEAD~1 -- a; git clean -fd'])(
    'is not a file that stays in the index: %s',
    async (line) => {
      const folder = copyOf(original);
      expect(pathsOf('fs.delete', await described(folder, line), folder)).toEqual([]);
    },
  );
});

describe('a secret that came into the index in the same line', () => {
  it.each([
    'git restore --staged --source=HEAD~1 .; git grep --cached K',
    'git checkout -q HEAD~1; git grep --cached K',
  ])('is named: %s', async (line) => {
    const folder = copyOf(original);
    expect(pathsOf('secret.read', await described(folder, line), folder)).toContain('.env');
  });
});

describe('a sparse index', () => {
  it('means the same as a full one', async () => {
    const folder = repositoryOf({ a: 'a\n', 'in/b': 'b\n', 'out/c/d': 'd\n', 'out/.env': 'K=1\n' });
    commit(folder, { 'in/b': 'c\n', 'out/e': 'e\n' });
    const lines = ['status', 'diff', 'diff HEAD~1', 'add -A', 'commit -qam x', 'grep K', 'grep --cached K'];
    const all = async () => {
      for (const file of ['a', 'in/b']) utimesSync(join(folder, file), 1, 1);
      git(folder, 'update-index', '-q', '--refresh');
      // Git reads again what changed in the second in which it wrote the index.
      utimesSync(join(folder, '.git/index'), 4e9, 4e9);
      return Promise.all(lines.map((line) => described(folder, `git ${line}`)));
    };
    git(folder, 'sparse-checkout', 'set', '--cone', '--no-sparse-index', 'in');
    const full = await all();
    git(folder, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    expect(git(folder, 'ls-files', '--sparse')).toContain('out/\n');
    expect(await all()).toEqual(full);
    expect(JSON.stringify(full)).not.toContain('opaque');
    expect(JSON.stringify(full)).toContain('out/.env');
  });
});
