import { chmodSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, describeGit, git, repositoryOf, write } from './repository.js';

/** A history with a rename, a change of the mode, a merge and a tag; a work tree with changes. */
function made(): string {
  const long = `${'line\n'.repeat(20)}`;
  const folder = repositoryOf({
    'src/a.ts': 'a\n',
    'src/b.ts': long,
    'run.sh': 'true\n',
    kind: 'k\n',
    never: 'n\n',
  });
  git(folder, 'branch', 'side');
  git(folder, 'mv', 'src/b.ts', 'src/c.ts');
  commit(folder, { 'src/a.ts': 'aa\n' });
  chmodSync(join(folder, 'run.sh'), 0o755);
  git(folder, 'rm', '-q', 'kind');
  commit(folder, { 'kind/inner': 'k\n', '-n': 'n\n' });
  git(folder, 'tag', '-a', 'v1', '-m', 'x');
  git(folder, 'checkout', '-q', 'side');
  commit(folder, { 'side.ts': 's\n' });
  git(folder, 'checkout', '-q', 'main');
  git(folder, 'merge', '-q', '-m', 'merge', 'side');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'empty');
  commit(folder, { gone: 'g\n', 'src/a.ts': 'aaa\n', 'same.ts': 's\n' });
  const past = new Date(Date.now() - 100_000);
  for (const path of git(folder, 'ls-files').trim().split('\n')) utimesSync(join(folder, path), past, past);
  git(folder, 'update-index', '-q', '--refresh');
  write(folder, { 'src/a.ts': 'changed\n', 'staged.ts': 's\n' });
  git(folder, 'add', 'staged.ts');
  rmSync(join(folder, 'gone'));
  return folder;
}

const known = `
diff --name-only | diff --name-only HEAD | diff --name-only HEAD~2 | diff --name-only HEAD~1 HEAD | diff --name-only side..HEAD
diff --name-only side...main | diff --name-only main...side | diff --name-only ..side | diff --cached --name-only | diff --staged --name-only HEAD~3
diff --name-only --diff-filter=AM HEAD~3 | diff --name-only --diff-filter=d v1 HEAD | diff --name-only HEAD~4 -- src | diff --name-only -- src
diff --name-only src | diff -M --name-only main~4 main~3 | diff --no-renames --name-only main~4 main~3 | diff --name-only v1~1 v1
diff -z --name-only HEAD~3 | diff -R --name-only HEAD~2 HEAD | diff --name-only --exit-code HEAD
show --name-only --format= | show --name-only --format= HEAD~2 | show --name-only --pretty=format: HEAD~3 | show --format= --name-only v1^{commit}
show --name-only --format= HEAD HEAD~3 | show --name-only --format= HEAD -- src
diff-tree --no-commit-id --name-only -r HEAD | diff-tree --no-commit-id --name-only -r HEAD~2 | diff-tree -r --name-only HEAD~4 HEAD
diff-tree --no-commit-id --name-only -r v1 | diff-tree -r --name-only side..main
log --name-only --format= -1 | log --name-only --format= -4 | log --name-only --pretty=format: -1 | log --name-only --format= side..main
log --name-only --format= -- src | log --name-only --format= --no-merges HEAD~5..HEAD | log --name-only --format= -2 -- src
diff-index --name-only HEAD | diff-index --cached --name-only HEAD~1 | diff-files --name-only
`
  .split(/[|\n]/)
  .map((command) => command.trim())
  .filter((command) => command !== '');
/** Those with an empty line between commits. */
const apart = [
  'log --name-only --pretty=format: -2',
  'log --name-only --pretty=format: --no-merges side..main',
  'log --pretty=format: --name-only -3 -- src',
  'show --name-only --pretty=format: HEAD HEAD~3',
];
/** Those that reach the first commit, which has every file. */
const whole = [
  'show --name-only --pretty=tformat: HEAD~5',
  'diff-tree --root --no-commit-id --name-only -r side~1',
  'log --name-only --format= -n 3 --diff-filter=A HEAD',
  'log --name-only --pretty= side',
  'log --name-only --format=',
];

describe('names of changed files that git prints', () => {
  const folder = made();
  it.each([...known, ...apart, ...whole])('names all that `git %s` prints', (command) => {
    const described = describeGit(folder, command);
    if (typeof described === 'string') throw new Error(described);
    const { output } = described;
    if (output.kind !== 'names') throw new Error(output.kind);
    const printed = (() => {
      try {
        return git(folder, ...command.split(' '));
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    })();
    const names = printed.split(output.separator).slice(0, -1);
    expect(names.filter((name) => !output.names.texts.includes(name))).toEqual([]);
    expect(output.names.open).toBe(false);
    expect(output.names.texts.includes('never')).toBe(whole.includes(command));
  });

  const withStatus = known.filter((command) => !/-z|--exit-code/.test(command));
  it.each([
    ...withStatus.map((command) => command.replace('--name-only', '--name-status')),
    'status -s',
    'status --porcelain',
    'status --porcelain=v1 -uall',
    'status -s -uno',
    'status -s src',
  ])('has the names in the columns of `git %s`', (command) => {
    const other = command.startsWith('status')
      ? repositoryOf({ 'src/a.ts': 'a\n', 'b c': 'b\n', gone: 'g\n' })
      : folder;
    if (other !== folder)
      write(other, { 'src/a.ts': 'new\n', 'b c': 'new\n', 'new/file': 'n\n', other: 'o\n' });
    if (other !== folder) rmSync(join(other, 'gone'));
    const described = describeGit(other, command);
    if (typeof described === 'string' || described.output.kind !== 'table')
      throw new Error(JSON.stringify(described));
    const { rest, separator } = described.output;
    const lines = git(other, ...command.split(' '))
      .split('\n')
      .filter(Boolean);
    const names = lines.map((line) => (separator === null ? line.slice(3) : line.replace(/^\w+\t/, '')));
    const parts = names.flatMap((name) => (name.includes('\t') ? name.split('\t') : [name]));
    expect(parts.filter((name) => rest?.texts.includes(name) !== true)).toEqual([]);
  });

  it.each([
    'diff --name-status -z HEAD~1',
    'log --name-status --pretty=format: -2',
    'diff --name-status --name-only HEAD~1',
    'status',
    'status -sb',
    'status --porcelain=v2',
    'status --porcelain -z',
    'status -s --ignored',
  ])('leaves the columns of `git %s` unknown', (command) => {
    const other = repositoryOf({ 'a.ts': 'a\n' });
    commit(other, { 'b.ts': 'b\n' });
    const described = describeGit(other, command);
    expect(typeof described === 'string' ? described : described.output.kind).toBe('unknown');
  });

  it.each([
    ['status.branch', 'true'],
    ['color.ui', 'always'],
    ['color.status', 'always'],
    ['status.renames', 'copies'],
    ['diff.renames', 'copy'],
  ])('leaves `git status -s` unknown with `%s`', (name, value) => {
    const other = repositoryOf({ 'a.ts': 'a\n' });
    git(other, 'config', name, value);
    expect(describeGit(other, 'status -s')).toMatchObject({ output: { kind: 'unknown' } });
  });

  it('leaves `git status -s` unknown where a file may be renamed, or below the top', () => {
    const other = repositoryOf({ 'src/a.ts': 'a\n' });
    expect(describeGit(join(other, 'src'), 'status -s')).toMatchObject({ output: { kind: 'unknown' } });
    git(other, 'mv', 'src/a.ts', 'src/b.ts');
    expect(describeGit(other, 'status -s')).toMatchObject({ output: { kind: 'unknown' } });
    git(other, 'reset', '-q');
    git(other, 'add', '-N', 'src/b.ts');
    expect(git(other, 'status', '-s')).toBe(' R src/a.ts -> src/b.ts\n');
    expect(describeGit(other, 'status -s')).toMatchObject({ output: { kind: 'unknown' } });
  });

  it.each([
    ['diff --name-status main~5 main~4', true],
    ['diff --name-status main~5', true],
    ['show --name-status --format= main~4', true],
    ['diff --name-status HEAD~1 HEAD', false],
    ['log --name-status --format= -1', false],
    ['diff --name-status', false],
  ])('may have two names in a line of `git %s`: %s', (command, expected) => {
    const described = describeGit(folder, command);
    if (typeof described === 'string' || described.output.kind !== 'table') throw new Error(command);
    expect(described.output.rest?.texts.some((text) => text.includes('\t'))).toBe(expected);
  });

  it('may have two names in a line where a setting shows copies', () => {
    const other = repositoryOf({ 'a.ts': 'a\n' });
    git(other, 'config', 'diff.renames', 'copies');
    commit(other, { 'a.ts': 'b\n' });
    const described = describeGit(other, 'diff --name-status HEAD~1 HEAD');
    expect(described).toMatchObject({ output: { rest: { texts: ['a.ts', 'a.ts\ta.ts'] } } });
  });

  it('knows no columns of `--name-status` where a renamed file may have a name with blanks', () => {
    const other = repositoryOf({ 'a b': 'line\n'.repeat(9) });
    git(other, 'mv', 'a b', 'c');
    commit(other, {});
    expect(git(other, 'diff', '--name-status', 'HEAD~1')).toBe('R100\ta b\tc\n');
    const outputOf = (command: string) => describeGit(other, command);
    expect(outputOf('diff --name-status HEAD~1')).toMatchObject({ output: { kind: 'unknown' } });
    expect(outputOf('diff --name-status --no-renames HEAD~1')).toMatchObject({ output: { kind: 'table' } });
  });

  it.each([
    'diff --name-only --relative HEAD',
    'diff --name-only --line-prefix=x HEAD',
    'diff --name-only --merge-base side',
    'diff --name-only missing',
    'diff --name-only HEAD:src HEAD~1:src',
    'diff --name-only A..B C',
    'show --name-only',
    'show --name-only --format=%s',
    'show --name-only --format= v1',
    'show --name-only --format= HEAD~2..HEAD',
    'show --name-only --format= HEAD^{tree}',
    'diff-tree --name-only -r HEAD',
    'diff-tree --no-commit-id --name-only HEAD',
    'diff-tree --no-commit-id --name-only -r -t HEAD',
    'log --name-only -1',
    'log --name-only --format= --all',
    'log --name-only --format= -z -2',
    'stash list --name-only --format= -1',
    'reflog show --name-only --format= -1',
  ])('leaves the output of `git %s` unknown', (command) => {
    const described = describeGit(folder, command);
    expect(typeof described === 'string' ? described : described.output.kind).toBe('unknown');
  });

  it('knows no names if a setting makes them relative', () => {
    const other = repositoryOf({ 'src/a.ts': 'a\n' });
    git(other, 'config', 'diff.relative', 'true');
    expect(describeGit(other, 'diff --name-only HEAD')).toMatchObject({ output: { kind: 'unknown' } });
  });
});
