// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from '../../read/world.js';
import { commit, git, write } from './repository.js';

const secret = Array.from({ length: 9 }, (_, line) => `NAME_${line}=1\n`).join('');

interface Repository {
  readonly folder: string;
  /** What a line says: `secret`, `opaque`, `discard`, or nothing. */
  readonly says: (line: string) => Promise<string>;
  readonly names: (line: string) => Promise<readonly string[]>;
}

function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  const { root: folder, describe: described } = project();
  git(folder, 'init', '-q', '-b', 'main');
  commit(folder, files);
  const names = async (line: string) => (await described(line)).map(({ name }) => name);
  return { folder, names, says: async (line) => inShort(await names(line)) };
}

function inShort(names: readonly string[]): string {
  const named = { 'secret.read': 'secret', 'proc.exec.opaque': 'opaque', 'vcs.discard': 'discard' };
  return Object.entries(named).find(([name]) => names.includes(name))?.[1] ?? '';
}

function leaky(): Repository {
  const repository = repositoryOf({ 'a.ts': 'a\n', '.env': secret });
  const { folder } = repository;
  commit(folder, { 'conf/credentials.json': 'x\n' });
  commit(folder, { 'env.sample': secret.replaceAll('1', '') });
  git(folder, 'tag', 'key', git(folder, 'rev-parse', 'HEAD:.env').trim());
  commit(folder, { 'a.ts': 'b\n' });
  git(folder, 'rm', '-q', '.env', 'conf/credentials.json');
  for (const text of ['c', 'd', 'e']) commit(folder, { 'a.ts': text });
  return repository;
}

describe('content that git shows besides', () => {
  const { says: saysOf } = leaky();
  const sample = 'HEAD~4';
  it.each([
    ['git log -p --boundary HEAD~2..HEAD', 'secret'],
    ['git log -p --exclude-first-parent-only HEAD~1..HEAD', 'secret'],
    ['git log -p HEAD~2..HEAD', ''],
    [`git show -C ${sample}`, ''],
    [`git show -C -C ${sample}`, 'opaque'],
    [`git show -C --find-copies=9% ${sample}`, 'opaque'],
    [`git diff --find-copies --find-copies ${sample}~1 ${sample}`, 'opaque'],
    [`git -c diff.renames=copies show -C ${sample}`, 'opaque'],
    [`git -c diff.renames=copies show ${sample}`, ''],
    ['git -c diff.renames=copies log -L1,1:env.sample', 'secret'],
    [`git diff --find-copies-harder ${sample}~1 ${sample}`, 'opaque'],
    [`git diff --stat -C -C ${sample}~1 ${sample}`, 'opaque'],
    ['git log --name-status -C -C -1', 'opaque'],
    ['git log --stat -C -1', ''],
    ['git blame -C a.ts', ''],
    ['git blame -C1 -C1 a.ts', 'opaque'],
    ['git range-diff -s HEAD~6..HEAD~4 HEAD~1..HEAD', 'secret'],
    ['git range-diff -s HEAD~2..HEAD~1 HEAD~1..HEAD', ''],
    ['git diff --numstat key HEAD:a.ts', 'secret'],
    ['git diff --numstat key..HEAD:a.ts', 'secret'],
    ['git diff --stat HEAD~6:.env..HEAD:a.ts', 'secret'],
    ['git diff --quiet $(git rev-parse key) HEAD:a.ts', 'secret'],
    [`git diff --stat ${sample}~1 HEAD`, ''],
    [`git diff --stat ${sample}~1:conf HEAD`, 'secret'],
    ['git diff --stat HEAD:a.ts HEAD~1:a.ts', ''],
    ['git show -1', ''],
    ['git show -2', ''],
    ['git show -3', 'secret'],
    ['git show -s -3', ''],
    ['git cat-file commit HEAD~6', ''],
    ['git cat-file tree HEAD~6', ''],
    ['git cat-file blob HEAD~6:.env', 'secret'],
    ['git cat-file -p HEAD~6:.env', 'secret'],
    ['for c in $(git log -2 --format=%h); do git show $c; done', ''],
    ['for c in $(git log -3 --format=%h); do git show $c; done', 'secret'],
    ['git log --format=%h -2 | xargs -n1 git show', ''],
    ['git log --format=%h -3 | xargs -n1 git show', 'secret'],
    ['git rev-list -2 HEAD | xargs git show', ''],
    ['git show $(git rev-list HEAD~3..HEAD)', 'secret'],
    ['git log --format=%H -2 | while read -r c; do git show "$c"; done', ''],
    ["git log --oneline -3 | cut -d' ' -f1 | xargs git show", 'secret'],
    ['git grep NAME $(git rev-list -3 HEAD)', ''],
    ['git grep NAME $(git rev-list -4 HEAD)', 'secret'],
    ['git rev-list -4 HEAD | xargs git grep NAME', 'secret'],
    ['git show -s $(git rev-list -9 HEAD)', ''],
    ['git log --format=%H -2 | while read -r c; do git diff $c~1 $c; done', ''],
    ['git log --format=%H -3 | while read -r c; do git diff $c~1 $c; done', 'secret'],
    ['for c in $(git log --format=%h -2); do git show "$c:.env"; done', 'secret'],
    ['for c in $(git log --format=%h -2); do git log -p -1 $c; done', ''],
    ['git log --format=%h -2 | { head -c 3; read -r c; git show "$c"; }', 'opaque'],
    ['git show --max-count=3 HEAD', 'secret'],
    ['git show --do-walk', 'secret'],
    ['git show --all HEAD:a.ts', 'secret'],
    ['git show --all -- a.ts', 'secret'],
    ['git show key -- a.ts', 'secret'],
    ['git grep NAME key -- a.ts', 'secret'],
    ['git show HEAD~1 -- a.ts', ''],
    ['git show HEAD:..', 'secret'],
    ['git log -p --all -- a.ts', ''],
    ['git show -s --all', 'secret'],
    ['git log -p --not -9', 'secret'],
    ['git show --stat --tags', 'secret'],
    ['git show --name-only --format= HEAD~1 | xargs cat', ''],
    ['git show -2 --name-only --format= | xargs cat', 'secret'],
    ["git for-each-ref --format='%(raw)'", 'opaque'],
    ["git tag -l --format='%(*raw)'", 'opaque'],
    ['git tag -l --sort=raw', 'opaque'],
    ["git for-each-ref --sort='-v:*raw'", 'opaque'],
    ['git branch --sort=-committerdate', ''],
    ["git for-each-ref --format='%(refname)'", ''],
    ['git config --blob HEAD~6:.env -l', 'opaque'],
    ['git config -f a.ts --includes -l', 'opaque'],
    ["git grep NAME HEAD~6 -- ':!.env/' ':!conf'", 'secret'],
    ["git grep NAME HEAD~4 -- ':!.env' ':!conf/'", ''],
    ["git grep NAME HEAD~4 -- ':!.env' ':(exclude,icase)con?'", 'secret'],
    ["git grep NAME HEAD~4 -- ':!.env' ':(exclude,icase)CONF'", ''],
    ['for f in ../x .env; do git log -p -- "$f"; done', 'secret'],
    ['for f in ../x .; do git archive HEAD~5 "$f"; done', 'secret'],
    ['for f in ../x a.ts; do git log -p -- "$f"; done', ''],
    ['x=$(git rev-list --max-parents=0 HEAD); git diff "$x"..HEAD -- a.ts', ''],
    ['x=$(git rev-list --max-parents=0 HEAD); git diff "$x"..HEAD', 'secret'],
    ['git diff "$(git rev-parse --short HEAD~6)..$(git rev-parse --short HEAD)"', 'secret'],
  ])('%s: %s', async (line, says) => {
    expect(await saysOf(line)).toBe(says);
  });

  it('includes folders whose mode begins with a zero', async () => {
    const { folder: odd, says } = repositoryOf({ 'src/a.ts': 'a\n' });
    commit(odd, { 'conf/credentials.json': 'x\n' });
    const tree = execFileSync('git', ['cat-file', 'tree', 'HEAD'], { cwd: odd });
    const input = Buffer.from(tree.toString('latin1').replaceAll('40000 ', '040000 '), 'latin1');
    const hash = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
    const id = execFileSync('git', hash, { cwd: odd, input }).toString().trim();
    git(odd, 'branch', 'odd', git(odd, 'commit-tree', '-p', 'HEAD~1', '-m', 'odd', id).trim());
    expect(git(odd, 'show', 'odd')).toContain('credentials.json');
    expect(await says('git show odd')).toBe('secret');
  });

  it('includes what each branch of a loop shows', async () => {
    const { folder: looped, says } = leaky();
    git(looped, 'branch', 'old', 'HEAD~2');
    const lines: Readonly<Record<string, string>> = {
      'for b in main old; do git log -1 -p $b --; done': 'secret',
      'for b in $(git branch --format="%(refname:short)"); do git log -p -1 "$b" --; done': 'secret',
      'for b in old main; do git format-patch --stdout -1 $b --; done': 'secret',
      'for b in old~1 old; do git log -p main ^$b --; done': 'secret',
      'for b in main old; do git log -1 -p $b -- a.ts; done': '',
      'for b in main main~1; do git log -1 -p $b; done': '',
      'for b in main HEAD; do git log -2 -p $b; done': '',
      'for b in main old; do git log -1 -p $b; done': 'secret',
    };
    const said = Object.keys(lines).map(async (line) => [line, await says(line)]);
    expect(Object.fromEntries(await Promise.all(said))).toEqual(lines);
  });

  it('includes a commit that a stopped rebase names', async () => {
    const { folder: stopped, says } = leaky();
    mkdirSync(join(stopped, '.git/rebase-merge'));
    writeFileSync(join(stopped, '.git/rebase-merge/orig-head'), git(stopped, 'rev-parse', 'HEAD~2'));
    expect(git(stopped, 'show', 'rebase-merge/orig-head')).toContain('NAME_1');
    expect(await says('git show rebase-merge/orig-head')).toBe('secret');
    expect(await says('git show other/orig-head')).toBe('');
  });
});

it('is known where the objects are borrowed, and unknown where their folder is missing', async () => {
  const { folder, says } = leaky();
  renameSync(join(folder, '.git/objects'), join(folder, '.git/lent'));
  const named = {
    '.git/objects/info/alternates': '../between\n',
    '.git/between/info/alternates': '../lent\n',
  };
  write(folder, named);
  for (const line of ['git show main:a.ts', 'git diff HEAD~1 main -- a.ts', 'git show HEAD'])
    expect(await says(line)).toBe('');
  const removed = git(folder, 'rev-parse', '--short', 'main:a.ts').trim();
  expect(await says(`git show ${removed}`)).toBe('');
  for (const line of ['git log -p', 'git show key']) expect(await says(line)).toBe('secret');
  renameSync(join(folder, '.git/lent'), join(folder, '.git/gone'));
  expect(await says('git show main:a.ts')).toBe('opaque');
  expect(await says('git show HEAD')).toBe('secret');
});

describe('a pattern of `git grep --no-index`', () => {
  const { folder, says: saysOf } = repositoryOf({ 'src/a.ts': 'a\n' });
  write(folder, { '.env': secret });
  it.each([
    ["git grep --no-index NAME '.e*'", 'secret'],
    ["git grep --no-index NAME ':!src'", 'secret'],
    ["git grep --no-index NAME -- ':(glob)**'", 'secret'],
    ['cd src && git grep --no-index NAME :/', 'secret'],
    ['git grep --no-index NAME src', ''],
  ])('%s: %s', async (line, says) => {
    expect(await saysOf(line)).toBe(says);
  });
});

describe('an object to which no branch leads', () => {
  const { folder, says: saysOf } = repositoryOf({ 'a.ts': 'a\n' });
  commit(folder, { 'a.ts': 'b\n' });
  write(folder, { '.env': secret });
  git(folder, 'stash', '-q', '-u');
  const stash = git(folder, 'rev-parse', 'stash').trim();
  git(folder, 'stash', 'drop', '-q');
  const blob = git(folder, 'rev-parse', `${stash}^3:.env`).trim();
  rmSync(join(folder, '.git/logs'), { recursive: true });

  it.each([
    [`git diff ${blob} HEAD:a.ts`, 'secret'],
    [`git diff ${blob.slice(0, 12)} HEAD:a.ts`, 'secret'],
    [`git cat-file blob ${blob.toUpperCase()}`, 'secret'],
    [`git show v1-2-g${blob.slice(0, 12)}`, 'secret'],
    [`x=$(git rev-parse ${stash}^3); git show HEAD..$x`, 'secret'],
    [`git log --format=%H ${stash}^3 | while read -r c; do git show "$c"; done`, 'opaque'],
    [`git log --oneline ${stash}^3 | awk '{print $1}' | xargs -n1 git show`, 'opaque'],
    ['git log --format=%H HEAD | while read -r c; do git show "$c"; done', ''],
    [
      `git log --format=%H ${git(folder, 'rev-parse', 'HEAD').trim()} | while read -r c; do git show "$c"; done`,
      '',
    ],
    ['git log -p "HEAD..$(cat a.ts)"', 'opaque'],
    ['git show "abc$(cat a.ts)"', 'opaque'],
    ['git log -p "HEAD..feature/$(cat a.ts)"', ''],
    ['git diff --stat "HEAD..$(cat a.ts)"', ''],
  ])('%s: %s', async (line, says) => {
    expect(await saysOf(line)).toBe(says);
  });

  it('may be a file that only a tag names', async () => {
    const { folder: tagged, says } = repositoryOf({ 'a.ts': 'a\n', '.gitignore': '.env\n' });
    write(tagged, { '.env': secret });
    git(tagged, 'tag', 'key', git(tagged, 'hash-object', '-w', '.env').trim());
    expect(git(tagged, 'show', '-s', '--all')).toContain('NAME_1');
    const others = ['for t in $(git tag); do git show "$t"; done', 'git tag | xargs git cat-file -p'];
    for (const line of ['git show --tags', 'git show -s --all', 'git diff key HEAD:a.ts', ...others])
      expect(await says(line), line).toBe('secret');
  });

  it('may be a file that is only in the index', async () => {
    const { folder: staged, says } = repositoryOf({ 'a.ts': 'a\n' });
    write(staged, { '.env': secret });
    git(staged, 'add', '-f', '.env');
    const line = 'git ls-files -s | awk \'{print $2}\' | while read -r i; do git show --stat "$i"; done';
    expect(await says(line)).toBe('opaque');
    for (const named of [':', ':0:', ':.e', ':./']) {
      expect(await says(`git show "${named}$(cat a.ts)"`), named).toBe('secret');
      expect(await says(`git cat-file -p "${named}$(cat a.ts)"`), named).toBe('secret');
    }
  });
});

describe('an archive in a repository', () => {
  const { folder, says } = repositoryOf({ 'a.ts': 'a\n' });
  write(folder, { 'x/.env': secret });
  for (const [name, member] of [
    ['s.tar', 'x'],
    ['s', 'x'],
    ['plain.tar', 'a.ts'],
  ] as const)
    execFileSync('tar', ['cf', name, member], { cwd: folder });
  rmSync(join(folder, 'x'), { recursive: true });
  commit(folder, {});
  rmSync(join(folder, 's'));
  it.each([
    ['git show HEAD:s.tar', 'secret'],
    ['git show main:s', 'secret'],
    ['git cat-file -p HEAD:./s.tar', 'secret'],
    ['git cat-file blob HEAD:s.tar', 'secret'],
    ['git show HEAD:a.ts HEAD:plain.tar', ''],
    ['git show HEAD~9:s.tar', 'opaque'],
    ['git show :s.tar', 'opaque'],
    ['git show :a.ts', ''],
    ['git show HEAD', ''],
    ['git show --text HEAD', 'opaque'],
    ['git log -p -a', 'opaque'],
    ['git log -p', ''],
    ['git grep -a NAME HEAD', 'opaque'],
    ['git grep NAME', ''],
    ['git archive HEAD | strings', 'secret'],
    ['git archive HEAD s.tar', 'secret'],
    ['git archive HEAD plain.tar a.ts', ''],
    ['git log -L1,5:s.tar', 'secret'],
    ['git grep -a NAME', 'secret'],
  ])('shows the secret that is packed in it as it is: %s', async (line, expected) => {
    expect(await says(line)).toBe(expected);
  });
});

describe('a changed secret', () => {
  it('is read by `git diff`, and only compared by `git status`', async () => {
    const { folder, says } = repositoryOf({ '.env': secret, 'key.pem.bak': 'x' });
    write(folder, { '.env': 'NAME=2\n' });
    expect(await says('git diff')).toBe('secret');
    expect(await says('git status')).toBe('');
    expect(await says('git show HEAD:key.pem.bak')).toBe('secret');
  });
});

describe('a secret that git compares with the index', () => {
  const racy = () => {
    const repository = repositoryOf({ 'a.ts': 'a\n', '.env': secret + secret });
    commit(repository.folder, { 'a.ts': 'b\n' });
    const { mtime } = statSync(join(repository.folder, '.env'));
    utimesSync(join(repository.folder, '.git/index'), mtime, mtime);
    return repository;
  };

  it('is only compared by `git diff`', async () => {
    const { says, names } = racy();
    for (const line of ['git diff', 'git diff HEAD~1', 'git diff -- .env', 'git diff --stat'])
      expect(await says(line), line).toBe('');
    for (const line of [
      'git add a.ts',
      'git commit -am x',
      'git stash',
      'git restore a.ts',
      'git switch -c n',
      'git ls-files --eol',
    ])
      expect(await says(line), line).not.toBe('secret');
    for (const option of ['--eol', "--format='%(eolinfo:worktree)'"])
      expect(await names(`git ls-files ${option}`), option).toContain('fs.read');
    expect(await says('git diff "$(cat a.ts)"')).toBe('secret');
    expect(await says('echo A=1 >> .env; git diff')).toBe('secret');
  });

  it('is only compared where it was touched, and shown where it is missing', async () => {
    const { folder, says } = repositoryOf({ '.env': secret });
    commit(folder, { 'a.ts': 'b\n' });
    utimesSync(join(folder, '.env'), 1, 1);
    expect(await says('git diff HEAD~1')).toBe('');
    rmSync(join(folder, '.env'));
    expect(git(folder, 'diff')).toContain('-NAME_1');
    for (const line of ['git diff', 'git diff HEAD~1']) expect(await says(line), line).toBe('secret');
    for (const line of ['git add -A', 'git commit -qm x', 'git stash', 'git switch -c n', 'git mv a.ts b.ts'])
      expect(await says(line), line).not.toBe('secret');
    // Git then shows the content that the line took out of the index.
    for (const line of ['git add -A; git diff --cached', 'git commit -am x; git diff HEAD~1 HEAD'])
      expect(await says(line), line).toBe('secret');
    expect(await says('git diff --cached')).toBe('');
    git(folder, 'update-index', '--skip-worktree', '.env');
    expect(git(folder, 'diff')).toBe('');
    expect(await says('git diff')).toBe('');
  });

  it('is shown where its text is stored in another encoding', async () => {
    const { folder, says } = racy();
    write(folder, { '.gitattributes': '.env working-tree-encoding=UTF-16LE\n' });
    expect(git(folder, 'diff')).toContain('-NAME_1');
    expect(await says('git diff')).toBe('secret');
  });

  it('is shown where it is in a conflict', async () => {
    const { folder, says } = repositoryOf({ '.env': secret });
    git(folder, 'switch', '-q', '-c', 'side');
    commit(folder, { '.env': 'NAME=2\n' });
    git(folder, 'switch', '-q', 'main');
    commit(folder, { '.env': 'NAME=3\n' });
    expect(() => git(folder, 'merge', 'side')).toThrow();
    write(folder, { '.env': 'NAME=3\n' });
    expect(git(folder, 'diff', '--theirs')).toContain('NAME=2');
    expect(await says('git diff --theirs')).toBe('secret');
  });
});

describe('git diff without a path', () => {
  const { folder, says } = repositoryOf({ 'a.ts': 'a\n', '.env': secret });
  write(folder, { '.env': 'NAME=2\n' });

  it.each([
    'git ls-files -o | xargs git diff --',
    'git diff $(git ls-files -o)',
    'ls | grep z | xargs git diff --stat -- ',
    'printf "" | xargs git diff',
  ])('shows all files where none are listed: %s', async (line) => {
    expect(await says(line)).toBe('secret');
  });
});

describe('a folder that is named by itself', () => {
  const { folder, says } = repositoryOf({ '.aws/credentials': secret, 'src/a.ts': 'a\n' });
  git(folder, 'tag', 'keys', 'HEAD:.aws');
  for (const name of ['v1', 'HEAD1']) git(folder, 'tag', name, name === 'v1' ? 'HEAD' : 'keys');
  const [keys, file, top] = ['HEAD:.aws', 'HEAD:.aws/credentials', 'HEAD'].map((name) =>
    git(folder, 'rev-parse', name).trim(),
  );
  git(folder, 'rm', '-qr', '.aws');
  commit(folder, { 'src/a.ts': 'b\n' });

  it.each([
    ['git show keys:credentials', 'opaque'],
    ['git show HEAD1:credentials', 'opaque'],
    ['git show HEAD~1:src/a.ts :src/a.ts :0:src/a.ts @:src/a.ts', ''],
    ['git cat-file -p tags/keys:./credentials', 'opaque'],
    [`git show ${keys}:credentials`, 'opaque'],
    [`git cat-file blob ${keys?.slice(0, 9)}:credentials`, 'secret'],
    [`git show ${file}`, 'secret'],
    ['git diff keys:credentials src/a.ts', 'secret'],
    ['git restore -s keys credentials', 'discard'],
    [`git checkout ${keys} -- credentials`, 'discard'],
    ['git tag more v1:.aws && git show more:credentials', 'opaque'],
    [`git tag more ${keys}`, 'opaque'],
    ['git tag more keys && git show more:credentials', 'opaque'],
    [`git tag more && git show ${keys}:credentials`, 'opaque'],
    ['git tag more && git show v1:src/a.ts', ''],
    ['git tag more "$(git rev-parse v1:.aws)"', 'opaque'],
    [`git show ${top}:src/a.ts v1:src/a.ts main:src/a.ts`, ''],
    [`git tag more ${top} && git show more:src/a.ts`, ''],
    ['git tag more "$(git rev-parse HEAD)"', ''],
    ['git checkout v1 -- src', ''],
  ])('may have secrets, unlike that of a commit: %s', async (line, expected) => {
    expect(await says(line)).toBe(expected);
  });
});
