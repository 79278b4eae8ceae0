import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from '../../read/world.js';
import { started } from '../../starter.js';
import { commit, git, write } from './repository.js';

const secret = 'NAME=1\n';

interface Repository {
  readonly folder: string;
  readonly describe: ReturnType<typeof project>['describe'];
}

/** The branch `leak` ends with a commit that takes `.env` out. Since then, `a.ts` has changed three times, and again. */
function leaky(): Repository {
  const { root: folder, describe } = project();
  git(folder, 'init', '-q', '-b', 'main');
  commit(folder, { 'a.ts': 'a\n', '.env': secret });
  git(folder, 'rm', '-q', '.env');
  commit(folder, { '.gitignore': '.env\n' });
  git(folder, 'branch', 'leak');
  for (const text of ['b', 'c', 'd']) commit(folder, { 'a.ts': `${text}\n` });
  write(folder, { 'a.ts': 'e\n', '.env': secret });
  return { folder, describe };
}

/** The same with `.env` in the last commits, which is older than the index. */
function tracked(): Repository {
  const repository = leaky();
  const { folder } = repository;
  utimesSync(join(folder, '.env'), 1_700_000_000, 1_700_000_000);
  for (const text of ['e', 'ee']) commit(folder, { 'a.ts': `${text}\n` });
  write(folder, { 'a.ts': 'f\n' });
  return repository;
}

/** The same with an older stash that holds `.env`, and without changes. */
function stashed(): Repository {
  const repository = tracked();
  const { folder } = repository;
  write(folder, { '.env': 'NAME=2\n' });
  git(folder, 'stash', '-q');
  git(folder, 'rm', '-q', '.env');
  git(folder, 'commit', '-q', '-m', 'x');
  commit(folder, { 'a.ts': 'g\n' });
  return repository;
}

/** Whether a line shows the secret, and whether its description says so. */
async function shows({ folder, describe: described }: Repository, line: string) {
  const names = (await described(line)).map(({ name }) => name);
  const settled = line.replaceAll(/(?<![./])\bgit\b/g, 'git -c user.name=A -c user.email=a@b.c');
  const { stdout } = started(folder, 'bash', '-c', settled);
  return {
    isShown: stdout.includes('NAME'),
    isSaid: names.includes('secret.read') || names.includes('proc.exec.opaque'),
  };
}

describe('a commit or a stash of the same line', () => {
  it.each([
    'git commit -qam x && git show',
    'git add a.ts && git commit -m x 2>&1 | tail -1; git show HEAD',
    'git commit -qam x; git show @ -- a.ts; git status --short; git log -1 -p',
    'git commit -qam x; git commit -q --amend -m y; git log -p -1 HEAD',
    'for i in 1 2; do echo $i >> a.ts; git commit -qam x; git show; done',
    'git stash -q && git stash show -p',
    'git stash -q && git switch -q leak && git stash show -p',
    'git stash push -q -m w -- a.ts && git status --short && git stash show -p "stash@{0}"',
  ])('shows nothing but what the line put there: %s', async (line) => {
    expect(await shows(leaky(), line)).toEqual({ isShown: false, isSaid: false });
  });

  it.each([
    'git add -f .env && git commit -qm x && git show',
    'git commit -qam x && git show HEAD~4',
    'git commit -qam x && git log -p -5',
    'git commit -qam x && git reset -q --hard HEAD~4 && git show',
    'git commit -qam x && git reset -q --soft leak~1 && git commit -qm y && git show',
    'git commit -qam x; git checkout -q leak; git show',
    'git commit -qam x; git stash -q; git switch -q leak; git log -1 -p',
    'git checkout -q -f leak; git commit -q --amend -m y; git show',
    'git commit -qam x; git rev-parse leak > .git/refs/heads/main; git show',
    'git commit -qam x; rm .git/refs/heads/main; git rev-parse leak > .git/refs/heads/main; git show',
    'git commit -qam x; git branch -f other leak; git symbolic-ref HEAD refs/heads/other; git show',
    'git commit -qam x; (git checkout -q leak); git show',
    'for i in 1 2; do git show; git commit -qam x; git checkout -q leak; done',
    'git stash -q; git switch -q leak; git commit -q --allow-empty --amend -m y; git show',
    'git stash -q -u -a && git stash show -p --include-untracked',
  ])('does not hide what else it may show: %s', async (line) => {
    expect(await shows(leaky(), line)).toEqual({ isShown: true, isSaid: true });
  });

  it.each([
    'echo NAME=2 >> .env; git commit -qam x; git show',
    'rm .env; git commit -qam x; git show',
    'git rm -q .env; git commit -qm x; git show',
    'git add a.ts; echo NAME=2 > .env; git commit -qm x -- .env; git show',
    'git reset -q --hard HEAD~1; git commit -q --amend -m y; git show',
    'echo NAME=2 >> .env; git stash -q; git stash show -p',
    'rm .env; git stash -q; git stash show -p',
    'echo NAME=2 >> .env; git commit -qam x; git diff HEAD~1',
    'git rm -q --cached .env; git commit -qm x; git diff HEAD~1 HEAD',
    'git rm -q --cached .env; git commit -qm x; git add -f .env; git commit -qm y; git diff HEAD~1..',
    'git commit -qam x && git diff HEAD~3',
    'git commit -qam x && git diff --cached HEAD~3',
  ])('names a secret that it has changed: %s', async (line) => {
    expect(await shows(tracked(), line)).toEqual({ isShown: true, isSaid: true });
  });

  it.each([
    'git commit -qam x && git show',
    'git commit -qam x && git diff HEAD~1',
    'git add a.ts && git commit -qm x; echo g > a.ts; git diff --stat HEAD~1',
    'git commit -qam x && git diff HEAD~1..HEAD',
    'git commit -qam x && git diff --cached HEAD~1',
  ])('names no secret that it has not changed: %s', async (line) => {
    expect(await shows(tracked(), line)).toEqual({ isShown: false, isSaid: false });
  });

  it.each([
    'git stash -q; git stash show -p',
    'echo h > a.ts; git stash -q; git stash drop -q; git stash show -p',
    'echo h > a.ts; git stash -q; git stash pop -q; git stash show -p',
    'echo h > a.ts; git stash -q; git stash show -p "stash@{1}"',
  ])('may be an older one: %s', async (line) => {
    expect(await shows(stashed(), line)).toEqual({ isShown: true, isSaid: true });
  });

  it('may be the last commit, where nothing has changed', async () => {
    const repository = leaky();
    git(repository.folder, 'checkout', '-q', '-f', 'leak');
    expect(await shows(repository, 'git commit -qam x; git show')).toEqual({ isShown: true, isSaid: true });
  });

  it('may end a merge', async () => {
    const repository = leaky();
    const { folder } = repository;
    git(folder, 'checkout', '-q', '-f', '-b', 'side', 'leak~1');
    rmSync(join(folder, '.env'), { force: true });
    commit(folder, { 'a.ts': 'side\n', '.env': 'NAME=3\n' });
    git(folder, 'checkout', '-q', 'main');
    expect(() => git(folder, 'merge', 'side')).toThrow();
    const line = 'git checkout -q --ours a.ts; git rm -q .env; git add a.ts; git commit -qm x; git show -m';
    expect(await shows(repository, line)).toEqual({ isShown: true, isSaid: true });
  });
});

describe('git diff after a commit of the line', () => {
  it.each([
    ['git commit -m x && git diff main', false],
    ['git commit -m x && git diff HEAD~1', false],
    ['git commit -am x; git commit -m y; git diff HEAD^..', false],
    ['git add b.ts && git commit -m x && git diff main~1...HEAD', false],
    ['git commit --amend -m x && git diff @~1 HEAD', false],
    ['git commit -m x && git diff HEAD~3', true],
    ['git commit -m x && git diff old..', true],
    ['git commit -m x && git diff HEAD~1...old', true],
    ['git add -f .env; git commit -m x; git diff HEAD~1', true],
    ['git commit -m x && git reset old && git diff HEAD~1', true],
    ['git commit -qam x; git branch -f main old; git diff main', true],
    ['git commit -qam x; git rev-parse old > .git/refs/heads/main; git diff main', true],
    ['git commit -m x && git diff HEAD@{1}', true],
  ])('shows what the names led to, and what it staged: %s', async (line, isShown) => {
    const { root, says } = project();
    git(root, 'init', '-q', '-b', 'main');
    commit(root, { 'a.ts': 'a\n', '.env': 'KEY=1\n' });
    git(root, 'branch', 'old');
    git(root, 'rm', '-q', '.env');
    commit(root, { 'a.ts': 'b\n' });
    commit(root, { 'b.ts': 'b\n' });
    commit(root, { 'b.ts': 'c\n', 'c.ts': 'c\n' });
    write(root, { '.env': 'KEY=2\n', 'b.ts': 'd\n' });
    const found = await says(line);
    expect(found.some((each) => /^secret\.read .*\(git\)/.test(each))).toBe(isShown);
  });
});

describe('a change of what git notes about branches', () => {
  const { folder, describe: described } = leaky();
  for (const name of ['main', 'leak']) git(folder, 'update-ref', `refs/remotes/origin/${name}`, name);
  git(folder, 'remote', 'add', 'origin', 'https://github.com/acme/ledger.git');
  git(folder, 'branch', '-q', '-u', 'origin/main');
  const namesOf = async (line: string) => (await described(line)).map(({ name }) => name);

  it('leaves later commands described', async () => {
    for (const change of [
      'branch -d leak',
      'branch -m leak b',
      'branch -u origin/leak',
      'checkout -b b origin/main',
    ])
      expect(await namesOf(`git ${change} && git status && git log -1`), change).not.toContain(
        'proc.exec.opaque',
      );
    const line = 'git branch -d leak; echo x >> .git/config; git status';
    expect(await namesOf(line)).toContain('proc.exec.opaque');
  });

  it('leaves unknown what `@{u}` is, and where git connects to', async () => {
    expect(await namesOf('git log -p @{u}..')).not.toContain('secret.read');
    expect(await namesOf('git branch -u origin/leak; git log -p @{u}..')).toContain('secret.read');
    const reached = await described('git branch -u origin/leak; git fetch');
    expect(reached.filter(({ name }) => name === 'net.connect')).not.toMatchObject([{ host: 'github.com' }]);
  });

  it('connects to the remote of any branch after a switch', async () => {
    git(folder, 'remote', 'add', 'other', 'https://example.org/x.git');
    git(folder, 'config', 'branch.leak.remote', 'other');
    for (const command of ['fetch', 'pull', 'push']) {
      const hosts = (line: string) =>
        described(line).then((all) => all.flatMap(({ name, host }) => (name === 'net.connect' ? host : [])));
      expect(await hosts(`git ${command}`), command).toEqual(['github.com']);
      const reached = await hosts(`git switch leak; git ${command}`);
      expect(new Set(reached), command).toEqual(new Set(['github.com', 'example.org']));
    }
  });
});
