import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capability } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import type { Access, Effect } from '../../../src/effect.js';
import { shellAt } from '../../../src/index.js';
import { programs } from '../../../src/programs/entry/table.js';
import { text } from '../../../src/word.js';
import type { Performed } from '../../../src/world.js';
import { perform } from '../../perform.js';
import { contextAt } from '../context.js';
import { describeGit, git, repositoryOf, write } from './repository.js';

const paths = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'f/a', 'f/b', 'out', 'out/a', 'x.log'];
const texts = [1, 2, 3].map((number) => `${`line ${number}\n`.repeat(9)}end\n`);

/** One change of a work tree. */
type Change = readonly [kind: 'write' | 'remove' | 'move', path: string, other: string, text: string];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('write', 'write', 'remove', 'move', 'move'),
  fc.constantFrom(...paths, 'd', 'f'),
  fc.constantFrom(...paths, 'd', 'f', 'g', 'g/a'),
  fc.constantFrom(...texts),
);

/** Makes changes as far as they are possible, and commits them. */
function make(folder: string, changes: readonly Change[]): void {
  for (const [kind, path, other, text] of changes) {
    try {
      if (kind === 'write') write(folder, { [path]: text });
      else if (kind === 'remove') git(folder, 'rm', '-rqf', path);
      else git(folder, 'mv', path, other);
    } catch {
      // A file stands where a folder is needed, or nothing is there.
    }
  }
  git(folder, 'add', '-A', '-f');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'change');
}

/** The files of a work tree with their content, and its folders. */
function stateOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const own = names.filter((name) => name !== '.git' && !name.startsWith('.git/')).sort();
  return new Map(
    own.map((name) => {
      const path = join(folder, name);
      return [path, lstatSync(path).isDirectory() ? '/' : readFileSync(path, 'utf8')];
    }),
  );
}

function isSaid(effects: readonly Effect[], path: string, access: Access): boolean {
  return effects.some((effect) => {
    if (effect.kind !== 'files' || effect.access !== access) return false;
    const { paths: named, open, under } = effect.files;
    return named.includes(path) || (open && (under === null || path.startsWith(`${under}/`)));
  });
}

interface FileSet {
  readonly paths: readonly string[];
  readonly open?: boolean;
}

function isDiscarded(effects: readonly Effect[], path: string): boolean {
  return effects.some((effect) => {
    if (effect.kind !== 'capability' || effect.capability.name !== 'vcs.discard') return false;
    const { path: said } = effect.capability as unknown as { path: string | FileSet };
    return typeof said === 'string' ? said === path : said.open === true || said.paths.includes(path);
  });
}

describe('a merge', () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 5 });
  const command = fc.constantFrom(
    'merge side',
    'merge --no-ff -m x side',
    'merge -X ours -m x side',
    'cherry-pick side',
    'revert --no-edit side~1',
    'stash pop',
    'stash apply stash@{0}',
    'rebase side',
    'rebase -q --no-ff side',
    'rebase main side',
    'apply p.diff',
    'apply -R p.diff',
    'apply --reject p.diff',
    'am p.diff',
    'am -q --signoff p.diff',
    'checkout side',
    'switch -',
    'reset --hard side',
    'mv a b',
    'mv -f a d/b',
    'clean -fdX',
  );
  const ignored = fc.array(fc.constantFrom('x.log', 'out', 'out/a', 'g/x.log', 'd/y.log'), { maxLength: 2 });

  it('touches only described files, and reports lost ignored files', () => {
    let known = 0;
    fc.assert(
      fc.property(changes, changes, changes, command, ignored, (first, ours, theirs, line, more) => {
        const folder = repositoryOf({
          '.gitignore': '*.log\nout\n',
          a: texts[0] ?? '',
          'd/a': texts[1] ?? '',
        });
        make(folder, first);
        git(folder, 'checkout', '-q', '-b', 'side');
        make(folder, theirs);
        git(folder, 'checkout', '-q', 'main');
        if (line.startsWith('stash')) {
          write(folder, { a: 'stashed\n', new: 'stashed\n' });
          try {
            git(folder, 'stash', '-q', '-u');
          } catch {
            // A folder is in the way.
          }
        }
        make(folder, ours.slice(0, 2));
        make(folder, ours.slice(2));
        for (const name of more) {
          try {
            write(folder, { [name]: `mine, not kept: ${name}\n` });
          } catch {
            // A file or folder is in the way.
          }
        }
        const sides = line.includes('-R') ? ['side', 'HEAD'] : ['HEAD', 'side'];
        const isMail = line.startsWith('am');
        const patch = isMail ? ['format-patch', '--stdout', 'HEAD..side'] : ['diff', ...sides];
        write(folder, { 'p.diff': `${git(folder, ...patch)}\n` });
        const tracked = new Set(git(folder, 'ls-files', '-z').split('\0'));
        const before = stateOf(folder);
        const described = describeGit(folder, line);
        try {
          git(folder, ...line.split(' '));
        } catch {
          // It stops at a conflict, or refuses.
        }
        const after = stateOf(folder);
        if (typeof described === 'string' || described.effects.some(({ kind }) => kind === 'opaque')) return;
        const isOpen = isSaid(described.effects, join(folder, 'nothing/else'), 'write');
        if (!isOpen) known += 1;
        const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
        const gone = [...before.keys()].filter((path) => !after.has(path));
        const lost = [...before]
          .filter(([path, text]) => text !== '/' && !tracked.has(path.slice(folder.length + 1)))
          .filter(([path, text]) => after.get(path) !== text)
          .map(([path]) => path);
        expect({
          changed: changed.filter((path) => !isSaid(described.effects, path, 'write')),
          gone: gone.filter((path) => !isSaid(described.effects, path, 'delete')),
          lost: lost.filter((path) => !isDiscarded(described.effects, path)),
        }).toEqual({ changed: [], gone: [], lost: [] });
      }),
      explore(200),
    );
    expect(known).toBeGreaterThan(0);
  });
});

/** The capabilities of a line that change files. */
async function told(folder: string, line: string): Promise<readonly Capability[]> {
  const [tool] = shellAt(folder, { home: '/nonexistent', guarded: [] }).tools;
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command: line }, context))?.capabilities ?? [];
}

async function changesOf(folder: string, line: string): Promise<readonly Capability[]> {
  const all = await told(folder, line);
  return all.filter(({ name }) => /^(?:fs\.(?:write|delete)|vcs\.discard|proc\.exec\.opaque)/.test(name));
}

describe('a merge after a switch', () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 4 });
  const command = fc.constantFrom(
    'git switch -q side && git merge -m x main',
    'git checkout side; git merge --no-ff -m x main',
    'git switch side; git rebase main',
    'git switch side && git cherry-pick main',
    'git switch side && git revert --no-edit HEAD',
    'git checkout -q side && git merge main~1',
    'git switch side && git checkout -q main && git merge -m x side',
    'git switch side && git rm -qf a && git merge -m x main',
    'git switch side && git reset -q --hard main && git merge main',
  );

  it('touches only described files', async () => {
    const property = fc.asyncProperty(
      changes,
      changes,
      changes,
      command,
      fc.boolean(),
      async (first, ours, theirs, line, isStaged) => {
        const folder = repositoryOf({ '.gitignore': '*.log\n', a: texts[0] ?? '', 'd/a': texts[1] ?? '' });
        make(folder, first);
        git(folder, 'checkout', '-q', '-b', 'side');
        make(folder, theirs);
        git(folder, 'checkout', '-q', 'main');
        make(folder, ours);
        write(folder, { 'k/x.log': 'mine\n', y: 'staged\n' });
        if (isStaged) git(folder, 'add', 'y');
        const before = stateOf(folder);
        const said = await changesOf(folder, line);
        spawnSync('bash', ['-c', line], { cwd: folder });
        const after = stateOf(folder);
        const has = (name: string, path: string) =>
          said.some((each) => {
            const { path: files } = each as unknown as { path?: string | (FileSet & { under?: string }) };
            if (each.name === 'proc.exec.opaque') return true;
            if (each.name !== name || files === undefined || typeof files === 'string')
              return each.name === name && files === path;
            const isBelow = files.under === undefined || path.startsWith(`${files.under}/`);
            return files.paths.includes(path) || (files.open === true && isBelow);
          });
        const changed = [...after].filter(([path, text]) => before.get(path) !== text);
        expect({
          changed: changed.map(([path]) => path).filter((path) => !has('fs.write', path)),
          gone: [...before.keys()].filter((path) => !after.has(path) && !has('fs.delete', path)),
        }).toEqual({ changed: [], gone: [] });
      },
    );
    await fc.assert(property, explore(80));
  }, 600_000);
});

describe('a merge with changes in its way', () => {
  const sides = (folder: string) => {
    git(folder, 'checkout', '-q', '-b', 'side');
    make(folder, [['write', 'a', '', 'side\n']]);
    git(folder, 'checkout', '-q', 'main');
    make(folder, [['write', 'b', '', 'main\n']]);
    return folder;
  };
  const changedBy = (folder: string) => {
    const { effects } = describeGit(folder, 'merge side') as Performed;
    const names = ['a', 'b', 'c', 'new', 'out/x'];
    return (['write', 'delete'] as const).map((access) =>
      names.filter((name) => isSaid(effects, join(folder, name), access)),
    );
  };

  it('puts these aside, and brings them back', () => {
    const folder = sides(repositoryOf({ a: 'a\n', b: 'b\n', c: 'c\n', 'out/x': 'x\n' }));
    write(folder, { c: 'changed\n' });
    expect(changedBy(folder)).toEqual([['a'], []]);
    write(folder, { new: 'staged\n' });
    git(folder, 'add', 'new');
    expect(changedBy(folder)).toEqual([['a', 'c', 'new'], ['new']]);
    git(folder, 'rm', '-q', '-r', 'out');
    expect(changedBy(folder)).toEqual([
      ['a', 'c', 'new', 'out/x'],
      ['new', 'out/x'],
    ]);
  });

  it('does so for a changed file that it would write', () => {
    const folder = sides(repositoryOf({ a: 'a\n', b: 'b\n', c: 'c\n' }));
    write(folder, { a: 'changed\n', c: 'changed\n' });
    expect(changedBy(folder)).toEqual([['a', 'c'], []]);
  });
});

describe('a merge after another command of the line', () => {
  it('touches unknown files if `git rm` changed the index', () => {
    const folder = repositoryOf({ a: 'a\n', b: 'b\n' });
    write(folder, { b: 'stashed\n' });
    git(folder, 'stash', '-q');
    const isOpenAfter = (...before: readonly string[]) => {
      const context = contextAt(folder);
      const run = (line: string) => perform(programs)('git', line.split(' ').map(text), context);
      for (const line of before) run(line);
      return isSaid(run('stash pop')?.effects ?? [], join(folder, 'c'), 'write');
    };
    expect([isOpenAfter(), isOpenAfter('status'), isOpenAfter('rm a')]).toEqual([false, false, true]);
  });
});

describe('a command after a merge', () => {
  const capabilitiesOf = async (line: string) => {
    const folder = repositoryOf({ a: 'a\n', b: 'b\n', c: 'c\n' });
    git(folder, 'checkout', '-q', '-b', 'side');
    make(folder, [
      ['write', 'a', '', 'side\n'],
      ['remove', 'c', '', ''],
    ]);
    git(folder, 'checkout', '-q', 'main');
    write(folder, { b: 'changed\n', c: 'changed\n', '.env': 'x=1\n' });
    return (await told(folder, line)).map((each) => JSON.stringify(each).replaceAll(folder, ''));
  };

  it.each([
    'git merge side && git status',
    'git cherry-pick side || git status -s',
    'git merge side; git diff',
  ])('reads known files: %s', async (line) => {
    const found = await capabilitiesOf(line);
    expect(found.filter((each) => /secret|fs\.read.*open/.test(each))).toEqual([]);
    expect(found).toContainEqual(expect.stringMatching(/^\{"name":"fs.read".*"\/a"/));
  });

  it('may find a changed file written again that the merge was to delete', async () => {
    expect(await capabilitiesOf('git merge side')).toContain('{"name":"fs.write","path":"/c","by":"git"}');
  });
});

describe('the index in a loop, a pipeline or parallel commands', () => {
  it.each([
    'git add b; i=1; for i in 1 1; do git ls-files new | xargs -r rm; git add new; done',
    'git add b; git ls-files new | xargs -r rm | git add new',
    'git add b; git ls-files new | xargs -r rm & git add new',
  ])('may hold what a later command adds: %s', async (line) => {
    const folder = repositoryOf({ a: 'a\n' });
    write(folder, { b: 'b\n', new: 'n\n' });
    const found = (await told(folder, line)).map((each) => JSON.stringify(each).replaceAll(folder, ''));
    expect(found.some((each) => /fs\.delete","path":"\/new"|opaque/.test(each))).toBe(true);
  });
});

describe('a switch after `git stash`', () => {
  const capabilitiesOf = async (line: string) => {
    const folder = repositoryOf({ a: 'a\n', b: 'b\n', c: 'c\n' });
    git(folder, 'checkout', '-q', '-b', 'side');
    make(folder, [
      ['write', 'a', '', 'side\n'],
      ['remove', 'c', '', ''],
    ]);
    git(folder, 'checkout', '-q', 'main');
    write(folder, { b: 'changed\n' });
    if (line.includes('alias')) git(folder, 'symbolic-ref', 'refs/heads/alias', 'refs/stash');
    return (await changesOf(folder, line))
      .map((each) => JSON.stringify(each).replaceAll(folder, ''))
      .filter((each) => !each.includes('/.git'));
  };

  it.each(['git stash && git switch side', 'git stash -u -q; git checkout -'])(
    'names its files: %s',
    async (line) => {
      expect(await capabilitiesOf(line)).toEqual([
        '{"name":"fs.write","path":"/b","by":"git"}',
        '{"name":"fs.write","path":"/a","by":"git"}',
        '{"name":"fs.delete","path":"/c","by":"git"}',
      ]);
    },
  );

  it.each([
    'git switch side && git merge main',
    'git checkout -q side; git rebase main',
    'git switch -c new && git merge side',
    'git checkout -b new && git cherry-pick side',
    'git tag v1 && git merge side',
  ])('is followed by a merge of known files: %s', async (line) => {
    expect((await capabilitiesOf(line)).filter((each) => /open|opaque|discard/.test(each))).toEqual([]);
  });

  it.each([
    'git stash && git stash apply',
    'git stash && git checkout stash@{0}',
    'git stash && git checkout ORIG_HEAD',
    'git stash && git checkout HEAD@{1}',
    'git stash && git commit -m x --allow-empty && git switch side',
    'git commit -m x --allow-empty && git stash && git switch side',
    'echo x > .git/refs/heads/side; git stash && git switch side',
    'git stash; rm .git/refs/stash; git switch side',
    'git stash && git switch alias',
    'git switch side && git merge -',
    'git switch side && git switch - && git merge side',
    'git tag side HEAD~1 && git merge side',
    'git switch -c x/side main && git merge side',
    'git switch -c new && git merge new',
    'git switch -c a@b && git merge side',
    'git switch -c new && git merge @{-1}',
    'git switch side && git add b && git merge main',
    'git switch side; echo x > .git/refs/heads/main; git merge main',
    'touch new; git add new && git switch side && git merge main',
  ])('touches unknown files if another reference may have changed: %s', async (line) => {
    expect((await capabilitiesOf(line)).some((each) => each.includes('"open":true'))).toBe(true);
  });
});
