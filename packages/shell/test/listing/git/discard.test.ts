import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../src/programs/entry/table.js';
import { text } from '../../../src/word.js';
import { perform } from '../../perform.js';
import { contextAt } from '../context.js';
import { commit, copyOf, git, repositoryOf, write } from './repository.js';

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
