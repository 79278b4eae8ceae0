import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../src/programs/entry/table.js';
import { text } from '../../../src/word.js';
import type { Performed } from '../../../src/world.js';
import { perform } from '../../perform.js';
import { contextAt } from '../context.js';
import { commit, copyOf, describeGit, git, repositoryOf, write } from './repository.js';

/**
 * Branches: `main` lacks what `other` changed in b.txt; `old` is an ancestor of `main`. Uncommitted: a.txt is
 * changed, c.txt is staged, new.txt is untracked, and `other` has a new.txt.
 */
function dirtyRepository(): string {
  const folder = repositoryOf({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });
  git(folder, 'branch', 'old');
  git(folder, 'checkout', '-q', '-b', 'other');
  commit(folder, { 'b.txt': 'other\n', 'new.txt': 'committed\n' });
  git(folder, 'checkout', '-q', 'main');
  commit(folder, { 'd.txt': 'newer\n' });
  write(folder, { 'c.txt': 'stashed\n' });
  git(folder, 'stash', '-q');
  write(folder, { 'a.txt': 'changed\n', 'c.txt': 'staged\n', 'new.txt': 'untracked\n' });
  git(folder, 'add', 'c.txt');
  return folder;
}

const dirty = dirtyRepository();

/** The paths that `vcs.discard` names; `*` for an open set. */
function discarded(folder: string, command: string): readonly string[] {
  const described = perform(programs)('git', command.split(' ').map(text), contextAt(folder));
  const paths = described?.effects.flatMap((effect): readonly string[] => {
    if (effect.kind !== 'capability' || effect.capability.name !== 'vcs.discard') return [];
    const { path } = effect.capability as { path?: string | { paths: string[]; open?: boolean } };
    if (path === undefined || typeof path === 'string') return [path ?? '?'];
    return [...path.paths, ...(path.open === true ? ['*'] : [])];
  });
  return [...new Set(paths)].map((path) => (path === folder ? '.' : path.replace(`${folder}/`, ''))).sort();
}

function contents(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The content that the real git discards and that no commit or stash holds. */
function lost(folder: string, command: string): readonly string[] {
  const before = contents(folder);
  const reachable = () =>
    `${git(folder, 'rev-list', '--branches', '--tags')}${git(folder, 'stash', 'list', '--format=%H')}`
      .trim()
      .split('\n');
  const commits = reachable();
  try {
    git(folder, ...command.split(' '));
  } catch {
    // Git refuses the command: nothing is lost.
  }
  const after = contents(folder);
  const held = new Set(reachable());
  const texts = new Set(
    git(folder, 'rev-list', '--no-walk', '--objects', '--no-object-names', ...commits, ...held)
      .trim()
      .split('\n'),
  );
  const isHeld = (content: string) => texts.has(idOf(content));
  const files = [...before].filter(([name, content]) => after.get(name) !== content && !isHeld(content));
  return [...files.map(([name]) => name), ...(commits.every((id) => held.has(id)) ? [] : ['.'])].sort();
}

/** What git calls a file with this content. */
function idOf(content: string): string {
  return createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex');
}

describe('work that git discards', () => {
  it.each([
    'restore a.txt',
    'restore b.txt',
    'restore .',
    'restore --staged c.txt',
    'restore --staged --worktree c.txt a.txt',
    'restore --source=other b.txt',
    'restore --source=other new.txt',
    'restore --source old d.txt a.txt',
    'checkout a.txt',
    'checkout -- b.txt a.txt',
    'checkout .',
    'checkout other -- new.txt',
    'checkout HEAD~1 d.txt',
    'checkout -f',
    'checkout -f other',
    'checkout old',
    'checkout -b fresh',
    'checkout -B other main',
    'checkout -B old main',
    'switch old',
    'switch other',
    'switch --discard-changes old',
    'switch -C other',
    'switch -c fresh',
    'reset',
    'reset a.txt',
    'reset --hard',
    'reset --hard old',
    'reset --hard other',
    'stash',
    'stash list',
    'stash drop',
    'stash clear',
    'branch -D other',
    'branch -D old',
    'branch -d old',
    'branch -f other main',
    'branch -f old main',
    'branch -M main other',
    'branch -m main trunk',
    'branch fresh',
    'tag v1',
    'tag -d v1',
    'tag -f v1',
    'clean -n',
    'clean -f',
    'clean -fd',
    'clean -fX',
    'clean -fdx .',
    'mv d.txt e.txt',
    'mv d.txt a.txt',
    'mv -f d.txt new.txt',
    'merge old',
    'merge other',
    'status',
    'add -A',
    'commit -a -m x',
  ])('names exactly the work that `git %s` discards', (command) => {
    const folder = copyOf(dirty);
    const said = discarded(folder, command);
    expect(said).toEqual(lost(folder, command));
  });

  it('counts undecidable work as discarded', () => {
    const folder = copyOf(dirty);
    expect(discarded(folder, 'checkout unknown')).toEqual(['*']);
    expect(discarded(folder, 'checkout -m other')).toEqual(['*']);
    expect(discarded(folder, 'merge --abort')).toEqual(['*']);
    expect(discarded(folder, 'rebase --skip')).toEqual(['*']);
    // The stash keeps untracked files, and the files keep what the commit changed.
    expect(discarded(folder, 'stash -u')).toEqual([]);
    expect(discarded(folder, 'reset --soft HEAD~1')).toEqual([]);
    git(folder, 'commit', '-q', '-a', '-m', 'all');
    expect(discarded(folder, 'restore .')).toEqual([]);
    expect(discarded(folder, 'reset --hard')).toEqual([]);
    expect(discarded(folder, 'checkout .')).toEqual([]);
  });
});

/** Files and folders that effects delete; those of an open set are not among them. */
function deleted(folder: string, command: string): readonly string[] {
  const { effects } = describeGit(folder, command) as Performed;
  const paths = effects.flatMap((effect) =>
    effect.kind === 'files' && effect.access === 'delete' ? effect.files.paths : [],
  );
  return paths.map((path) => path.replace(`${folder}/`, '')).filter((path) => !path.startsWith('.git/'));
}

describe('a file that only the index lacks', () => {
  it('is deleted by `git stash --keep-index`', () => {
    const folder = repositoryOf({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    git(folder, 'rm', '-q', '--cached', 'a.txt');
    expect([deleted(folder, 'stash -k'), deleted(folder, 'stash')]).toEqual([['a.txt'], []]);
    git(folder, 'stash', '-k');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  });
});

describe('an empty folder', () => {
  it('is deleted by `git stash -u`', () => {
    const folder = repositoryOf({ 'a.txt': 'a\n' });
    write(folder, { 'a.txt': 'changed\n' });
    mkdirSync(join(folder, 'empty/more'), { recursive: true });
    expect([deleted(folder, 'stash -u'), deleted(folder, 'stash')]).toEqual([['empty/more', 'empty'], []]);
    git(folder, 'stash', '-u');
    expect(existsSync(join(folder, 'empty'))).toBe(false);
  });

  it('is deleted by `git clean` with a path, as with `-d`', () => {
    const folder = repositoryOf({ 'a.txt': 'a\n' });
    mkdirSync(join(folder, 'empty'));
    const said = ['clean -f', 'clean -f empty', 'clean -f :!a.txt'].map((each) => deleted(folder, each));
    expect(said).toEqual([[], ['empty'], ['empty']]);
    git(folder, 'clean', '-f', ':!a.txt');
    expect(existsSync(join(folder, 'empty'))).toBe(false);
  });
});

describe('the state of a merge', () => {
  it('is deleted by the next merge', () => {
    const folder = copyOf(dirty);
    const file = join(folder, '.git/MERGE_MSG');
    write(folder, { '.git/MERGE_MSG': 'kept\n' });
    const { effects } = describeGit(folder, 'merge other') as Performed;
    const paths = effects.flatMap((effect) =>
      effect.kind === 'files' && effect.access === 'delete' ? effect.files.paths : [],
    );
    expect(paths).toContain(file);
  });
});

describe('untracked files in the way', () => {
  const repository = repositoryOf({ 'a.txt': 'a\n', 'd/b.txt': 'b\n' });
  commit(repository, { 'a.txt': 'newer\n', 'd/b.txt': 'newer\n' });
  rmSync(join(repository, 'a.txt'));
  rmSync(join(repository, 'd'), { recursive: true });
  write(repository, { 'a.txt/more/new.txt': 'untracked\n', d: 'untracked\n' });

  it.each([
    'checkout -- a.txt d/b.txt',
    'checkout .',
    'checkout HEAD~1 -- .',
    'checkout -f',
    'checkout -f HEAD~1',
    'restore .',
    'restore -s HEAD~1 .',
    'reset --hard',
    'reset --hard HEAD~1',
    'stash',
  ])('are deleted by `git %s`, and discarded', (command) => {
    const folder = copyOf(repository);
    const said = [deleted(folder, command), discarded(folder, command)];
    git(folder, ...command.split(' '));
    expect(existsSync(join(folder, 'a.txt/more/new.txt'))).toBe(false);
    for (const each of said) expect(each).toEqual(expect.arrayContaining(['a.txt/more/new.txt', 'd']));
  });

  it('are kept where git writes another file', () => {
    const folder = copyOf(repository);
    expect(deleted(folder, 'checkout HEAD~1 -- a.txt')).not.toContain('d');
    expect(deleted(folder, 'checkout HEAD~1')).toEqual([]);
  });
});
