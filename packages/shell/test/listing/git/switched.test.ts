import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openRoots } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import { describeCommand } from '../../../src/describe/describe-command.js';
import { emptyFolder } from '../context.js';
import { commit, copyOf, git, repositoryOf, write } from './repository.js';

/** The branch `side` changed `a` and added `c`; `.env` is the same in both. */
const original = repositoryOf({ a: '1\n', '.env': 'K=1\n' });
commit(original, { a: 'a\n' });
git(original, 'checkout', '-q', '-b', 'side');
commit(original, { a: 'side\n', c: 'c\n' });
git(original, 'checkout', '-q', 'main');

async function told(folder: string, command: string): Promise<readonly string[]> {
  const roots = openRoots([{ name: 'w', folder, mode: 'rw' }], { home: '/nonexistent', naming: 'by_path' });
  const { capabilities } = await describeCommand({ command }, { roots, home: '/nonexistent' });
  return capabilities.map((each) => JSON.stringify(each).replaceAll(folder, ''));
}

describe('a commit after a switch in the same line', () => {
  it.each([
    'git switch -c q && git add a && git commit -m x',
    'git checkout -q -b feature/q && git add a && git commit -qm x',
    'git checkout -b q side && git add a && git commit -m x',
    'git switch side; git add a; git commit -m x',
    'git switch side && git commit -am x --amend',
    'git switch -c q && git stash',
    'git tag v1 && git commit -am x',
  ])('reads no secret that no commit changed: %s', async (line) => {
    const found = await told(copyOf(original), `echo b >> a; ${line}`);
    expect(found.filter((each) => /secret|opaque/.test(each))).toEqual([]);
  });

  it.each([
    'git switch secret && git add a && git commit -m x',
    'git switch -c q secret && git commit -am x',
    'git switch secret; git switch side; git commit -am x',
    'git switch -c q && git reset --soft secret && git commit -m x',
    'git switch -c q && git commit -m y --allow-empty && git commit -am x',
    'echo ref: refs/heads/secret > .git/HEAD; git switch -c q; git commit -am x',
  ])('may read a secret that one of the commits changes: %s', async (line) => {
    const folder = copyOf(original);
    git(folder, 'branch', 'before');
    git(folder, 'checkout', '-q', '-b', 'secret');
    commit(folder, { '.env': 'K=2\n' });
    git(folder, 'checkout', '-q', 'main');
    expect((await told(folder, line)).some((each) => /secret\.read|opaque/.test(each))).toBe(true);
  });
});

describe('a branch named like the last one', () => {
  it.each(['git checkout -', 'git switch -q -', 'git switch -c q -'])(
    'is not what - means: %s',
    async (line) => {
      const folder = copyOf(original);
      git(folder, 'update-ref', 'refs/heads/-', 'main~1');
      const found = await told(folder, line);
      expect(found).toContainEqual(expect.stringMatching(/fs\.write.*"\/c"/));
      git(folder, ...line.split(' ').slice(1));
      expect(existsSync(join(folder, 'c'))).toBe(true);
    },
  );
});

describe('a switch after a switch', () => {
  const changes = async (line: string) =>
    (await told(copyOf(original), line)).filter(
      (each) => /fs\.(?:write|delete)|opaque/.test(each) && !each.includes('/.git'),
    );

  it.each(['git switch -c f && git switch main', 'git checkout -b f; git checkout -b g'])(
    'changes no file where the commits are the same: %s',
    async (line) => {
      expect(await changes(line)).toEqual([]);
    },
  );

  it.each(['git switch side && git switch main', 'git switch -c f && git switch side; git switch main'])(
    'changes the files in which the commits differ: %s',
    async (line) => {
      expect((await changes(line)).join('\n')).toMatch(/fs\.write","path":"\/a"/);
      expect((await changes(line)).join('\n')).toMatch(/fs\.delete","path":"\/c"/);
      expect((await changes(line)).join('\n')).not.toContain('"open":true');
    },
  );

  it.each(['git switch side && git switch -', 'git switch side; git switch HEAD~1 --detach'])(
    'changes unknown files where its commit is unknown: %s',
    async (line) => {
      expect((await changes(line)).join('\n')).toContain('"open":true');
    },
  );
});

describe('the first commit of a repository', () => {
  const fresh = (): string => {
    const folder = emptyFolder();
    git(folder, 'init', '-q', '-b', 'main');
    write(folder, { a: 'a\n', '.gitignore': '.env\n', '.env': 'K=1\n' });
    return folder;
  };

  it.each(['git add -A && git commit -m x', 'git switch -c q && git add . && git commit -qm x'])(
    'reads no ignored secret: %s',
    async (line) => {
      const found = await told(fresh(), line);
      expect(
        found.filter((each) => /secret|opaque|fs\.(?:read|write|delete).*"open":true,"under":""/.test(each)),
      ).toEqual([]);
    },
  );

  it.each([
    'git add -Af && git commit -m x',
    'git add a; cp b .git/index; git commit -m x',
    'git add a; cp -r b/. .git; git commit -m x',
    'cp b .git/index; git add a; git commit -m x',
  ])('may read a secret where the index may have one: %s', async (line) => {
    expect((await told(fresh(), line)).some((each) => /secret\.read|opaque/.test(each))).toBe(true);
  });
});

describe('a switch without an index', () => {
  const bare = (): string => {
    const folder = copyOf(original);
    for (const file of ['a', '.env', '.git/index']) rmSync(join(folder, file));
    return folder;
  };
  const written = expect.stringMatching(/fs\.write.*"\/a"/);

  it.each([
    'git checkout',
    'git checkout main',
    'git switch -c q HEAD',
    'git checkout -q',
    'git checkout -q -b q',
    'git checkout -bq',
    'git checkout -b q --',
    'git checkout -bq -q',
  ])('writes every file: %s', async (line) => {
    const folder = bare();
    expect(await told(folder, line)).toContainEqual(written);
    git(folder, ...line.split(' ').slice(1));
    expect(existsSync(join(folder, 'a'))).toBe(true);
  });

  it.each(['git checkout -q', 'git checkout -q -b q', 'git checkout --'])(
    'leaves an index with every file: %s',
    async (line) => {
      const found = await told(bare(), `${line}; cat $(git ls-files)`);
      expect(found.some((each) => /secret\.read/.test(each))).toBe(true);
    },
  );

  it('deletes files of the first branch by a second switch', async () => {
    const found = await told(bare(), 'git switch side; git switch main');
    expect(found).toContainEqual(expect.stringMatching(/fs\.delete.*"\/c"/));
  });

  it.each(['git switch -c q', 'git switch -q -c q --', 'git checkout -b q'])(
    'writes none where it only makes a branch: %s',
    async (line) => {
      const folder = bare();
      expect(await told(folder, line)).not.toContainEqual(written);
      git(folder, ...line.split(' ').slice(1));
      expect(existsSync(join(folder, 'a'))).toBe(false);
    },
  );
});
