import { describe, expect, it } from 'vitest';
import { commit, describeGit, git, repositoryOf } from './repository.js';

function made(): string {
  const folder = repositoryOf({ 'a.ts': 'a\n' });
  commit(folder, { 'b.ts': 'b\n' });
  git(folder, 'branch', 'side');
  git(folder, 'branch', 'other/one', 'HEAD~1');
  git(folder, 'tag', 'v1');
  return folder;
}

const folder = made();
const outputOf = (command: string, at = folder) => {
  const deed = describeGit(at, command);
  return typeof deed === 'string' ? deed : deed.output;
};
const printed = (command: string, at = folder) =>
  git(at, ...command.split(' '))
    .split('\n')
    .filter((line) => line !== '');

describe('the columns of what git prints', () => {
  it.each([
    'log --oneline',
    'log --oneline --decorate -2',
    'log --format=%h|%an|%s',
    'log --pretty=format:%H,%s -2 -- a.ts',
    'log --format=%h:%d --all',
    'reflog',
    'reflog -1',
    'reflog --format=%h|%gs',
  ])('begin with the id of a commit in `git %s`', (command) => {
    const output = outputOf(command);
    if (typeof output === 'string' || output.kind !== 'table') throw new Error(JSON.stringify(output));
    expect(output.columns).toEqual(['id']);
    const lines = printed(command).map((line) => line.split(output.separator ?? ' '));
    expect(lines.filter(([id = '']) => !/^[0-9a-f]{4,40}$/.test(id))).toEqual([]);
    expect(lines).not.toEqual([]);
  });

  it.each([
    'log --oneline --graph',
    'log --oneline -p',
    'log --oneline --stat',
    'log --format=%h|%b',
    'log --format=%h|%B',
    'log --format=%h%n%s',
    'log --format=%h|%N',
    'log --format=%Cred%h|%s',
    'log --format=%s|%h',
    'log --format=x%h|%s',
    'log --format=%h|%w(9)%s',
    'log --format=%h --format=%s',
    'log',
  ])('are unknown in `git %s`', (command) => {
    expect(outputOf(command)).toMatchObject({ kind: 'unknown' });
  });

  it('are names and ids where a format says so', () => {
    const output = outputOf(
      'for-each-ref --sort=-committerdate --format=%(refname:short)|%(objectname:short) refs/heads',
    );
    const names = { texts: ['main', 'other/one', 'side'], open: false, under: null };
    if (typeof output === 'string' || output.kind !== 'table') throw new Error(JSON.stringify(output));
    expect(output.columns.map((each) => (typeof each === 'object' ? [...each.texts].sort() : each))).toEqual([
      names.texts,
      'id',
    ]);
    expect(outputOf('for-each-ref --format=%(constructor)|x refs/heads')).toMatchObject({ kind: 'unknown' });
    expect(outputOf('for-each-ref --format=%(contents)|%(refname:short) refs/heads')).toMatchObject({
      kind: 'unknown',
    });
  });

  it('holds the lines of `git branch`', () => {
    for (const command of ['branch', 'branch --merged', 'branch --sort=-committerdate']) {
      const output = outputOf(command);
      if (typeof output === 'string' || output.kind !== 'names') throw new Error(JSON.stringify(output));
      expect(output.names.texts).toEqual(expect.arrayContaining(printed(command)));
    }
    for (const command of ['branch -a', 'branch -v', 'branch -r', 'branch --column'])
      expect(outputOf(command)).toMatchObject({ kind: 'unknown' });
  });

  it('knows no lines of `git branch` without a current branch, or with a colour', () => {
    const other = made();
    git(other, 'config', 'color.branch', 'always');
    expect(outputOf('branch', other)).toMatchObject({ kind: 'unknown' });
    git(other, 'config', '--unset', 'color.branch');
    expect(outputOf('branch', other)).toMatchObject({ kind: 'names' });
    git(other, 'checkout', '-q', '--detach');
    expect(outputOf('branch', other)).toMatchObject({ kind: 'unknown' });
  });
});
