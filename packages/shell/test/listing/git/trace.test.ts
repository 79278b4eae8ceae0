import { chmodSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { some } from '../../../../../test/depth.js';
import type { Access, Effect } from '../../../src/effect.js';
import { capabilitiesOfFiles } from '../../../src/facts/files.js';
import type { Described } from '../../../src/world.js';
import { project } from '../../read/world.js';
import { contextAt } from '../context.js';
import { commit, describeGit, git, repositoryOf, write } from './repository.js';
import { canTrace, traceGit } from './trace.js';

/** Whether effects say that a file is touched in one of these ways. */
function covers({ effects }: Described, path: string, accesses: readonly Access[]): boolean {
  return effects.some((effect: Effect) => {
    if (effect.kind === 'path')
      return (
        accesses.includes(effect.access) &&
        effect.word.kind === 'text' &&
        `/${path}`.endsWith(`/${effect.word.text}`)
      );
    if (effect.kind !== 'files' || !accesses.includes(effect.access)) return false;
    const { paths, open, under } = effect.files;
    return (
      paths.includes(path) || (open && (under === null || path === under || path.startsWith(`${under}/`)))
    );
  });
}

function made(): string {
  const folder = repositoryOf({
    'src/a.ts': 'a\n',
    'src/b.ts': 'b\n',
    'src/deep/c.ts': 'c\n',
    'd é.md': 'd\n',
    'e.md': 'e\n',
  });
  commit(folder, { '.env': 'SECRET=1\n', 'src/a.ts': 'aa\n' });
  git(folder, 'rm', '-q', '.env');
  commit(folder, { '.gitignore': '*.log\n.env\nout/\n!keep.log\n', 'src/a.ts': 'aaa\n' });
  git(folder, 'branch', 'other');
  git(folder, 'checkout', '-q', '-b', 'side');
  commit(folder, { 'src/side.ts': 's\n', 'e.md': 'ee\n' });
  git(folder, 'checkout', '-q', 'main');
  commit(folder, { 'src/new.ts': 'n\n', 'src/b.ts': 'bb\n' });
  git(folder, 'checkout', '-q', '-b', 'modes');
  chmodSync(join(folder, 'd é.md'), 0o755);
  git(folder, 'commit', '-qam', 'mode');
  git(folder, 'checkout', '-q', 'main');
  git(folder, 'tag', 'both', 'HEAD');
  git(folder, 'branch', 'both', 'modes');
  const past = new Date(Date.now() - 100_000);
  for (const path of ['src/a.ts', 'src/b.ts', 'src/deep/c.ts', 'e.md', 'd é.md', '.gitignore'])
    utimesSync(join(folder, path), past, past);
  git(folder, 'update-index', '-q', '--refresh');
  utimesSync(join(folder, '.git/index'), new Date(), new Date(Date.now() + 2000));
  write(folder, {
    'src/a.ts': 'changed\n',
    '.env': 'S=1\n',
    'x.log': 'x\n',
    'keep.log': 'k\n',
    'out/y': 'y\n',
    'fresh/z.ts': 'z\n',
    'src/draft.ts': 'd\n',
  });
  write(folder, { 'e.md': 'staged\n' });
  git(folder, 'add', 'e.md');
  return folder;
}

const commands = `
status | update-index --refresh | update-index -q --refresh | status --short | status -uno | status src | status --ignored | diff | diff HEAD | diff --stat | diff HEAD~1 | diff HEAD~1 HEAD | diff --cached | diff-tree -p HEAD | diff-tree -r --name-only HEAD~1 HEAD
diff -- src | diff HEAD :!src | diff HEAD :/ | stash push -u -- *.md | rm --cached | diff other...HEAD | diff --name-only HEAD~1 | log --oneline | log -p | log -p -2 | show | show HEAD~1 | show HEAD:e.md | blame src/b.ts
grep -n a | grep -l a -- src | grep a HEAD~1 | grep --cached a | grep --untracked a | ls-files | ls-files -m | ls-files -o | ls-files -o --exclude-standard
ls-files *.ts | add . | add -A | add src | add -u | add src/a.ts fresh | add *.ts | add -f .env | add -n . | add --renormalize . | commit -m x | commit -am x
commit --amend --no-edit | commit -m x src/a.ts | restore src/a.ts | restore . | restore --staged e.md | restore --source=HEAD~1 src/b.ts
restore --source HEAD~1 . | restore -s HEAD~1 -- src | describe --always | describe --always --dirty | describe --tags --always --dirty=-x | rev-parse HEAD | rev-list HEAD | ls-tree -r HEAD | merge-base HEAD other
name-rev HEAD | show-ref | for-each-ref | cherry other | count-objects -v | hash-object e.md src/a.ts | hash-object --no-filters e.md | archive HEAD | shortlog -s HEAD | check-ignore -v x.log | cat-file -p HEAD
branch | branch -a | branch new | branch -d other | branch -m other newer | tag | tag v1 | tag -a v1 -m x | checkout other | checkout -f other
checkout -b fresh | checkout -b fresh HEAD~1 | checkout -- src/a.ts | checkout HEAD~1 -- src | checkout src/a.ts | switch other | switch -c fresh | switch --detach HEAD~1 | checkout modes | checkout -f modes | reset --hard modes | merge modes | switch - | checkout - | checkout @{-2} | merge - | checkout both
reset | reset HEAD~1 | reset --soft HEAD~1 | reset --hard | reset --hard HEAD~1 | reset -- e.md | stash | stash -u | stash push -m x | stash push -- src | stash list
rm --cached src/b.ts | rm -r src/deep | rm -f src/a.ts | mv src/b.ts src/b2.ts | mv src/deep moved | mv src/b.ts src/deep | clean -n | clean -f | clean -fd | clean -fdx
merge-tree HEAD~1 HEAD side | merge-tree --write-tree HEAD side | cherry-pick HEAD~1 | cherry-pick side | revert --no-edit HEAD | revert --no-edit HEAD~1 | merge other | merge side | merge --no-ff -m x side | stash drop | stash show -p | rebase side
`
  .split(/[|\n]/)
  .map((command) => command.trim())
  .filter((command) => command !== '');

describe.skipIf(!canTrace)('files that git touches', () => {
  it.each(some(commands))('`git %s` touches only described files', (command) => {
    expect(undescribed(made(), command)).toEqual([]);
  });
});

/** Files that git touches, and that the description of the command lacks. */
function undescribed(folder: string, command: string): readonly string[] {
  const described = describeGit(folder, command);
  if (typeof described === 'string') throw new Error(described);
  const { read, changed } = traceGit(folder, command.split(' '));
  const isOwn = (path: string) => !path.startsWith(`${folder}/`) || path.startsWith(`${folder}/.git/`);
  const rules = /\/\.git(?:ignore|attributes|modules)$|\/\.mailmap$/;
  const missed = [
    ...read
      .filter((path) => !isOwn(path) && !rules.test(path) && !covers(described, path, ['read', 'write']))
      .map((path) => `read ${path}`),
    ...changed
      .filter(
        (path) => path !== '/dev/null' && !isTemporary(path) && !covers(described, path, ['write', 'delete']),
      )
      .map((path) => `write ${path}`),
  ];
  return missed.map((text) => text.replace(folder, ''));
}

const naming = `
status | diff | diff --name-only HEAD~1 | diff --cached | log | log --oneline -1 | log -p -1 | log --name-only | show | show HEAD:e.md | blame e.md
blame HEAD -- e.md | shortlog -s HEAD | reflog | rev-list --format=%aN HEAD | cat-file --mailmap -p HEAD | format-patch --stdout -1
range-diff HEAD~2..HEAD~1 HEAD~1..HEAD | commit -am x | commit --author=A --allow-empty -m x | merge side | cherry-pick side | revert --no-edit HEAD
checkout other | checkout -b fresh HEAD~1 | stash | stash list | archive HEAD | reset --hard HEAD~1 | add -A | diff-tree -p HEAD | describe --dirty --always
branch | tag | for-each-ref | whatchanged | rebase side | ls-files | grep -n a | restore . | rm --cached e.md | mv src/b.ts src/b2.ts | clean -n
`
  .split(/[|\n]/)
  .map((command) => command.trim())
  .filter((command) => command !== '');

describe.skipIf(!canTrace)('with settings that name files', () => {
  it.each(naming)('`git %s` touches only described files', (command) => {
    const folder = made();
    const names = { 'mailmap.file': 'people', 'diff.orderFile': 'order', 'blame.ignoreRevsFile': 'skipped' };
    write(folder, { people: 'B <b@example.com> <a@example.com>\n', order: '*.md\n', skipped: '' });
    git(folder, 'add', ...Object.values(names));
    git(folder, 'commit', '-q', '-m', 'names');
    age(folder);
    for (const [key, value] of Object.entries(names)) git(folder, 'config', key, value);
    expect(undescribed(folder, command)).toEqual([]);
  });
});

/** Makes the index later than each file, so that git reads no file for its time. */
function age(folder: string): void {
  utimesSync(join(folder, '.git/index'), new Date(), new Date(Date.now() + 100_000));
}

describe.skipIf(!canTrace)('with an index later than each file', () => {
  it.each(['stash push -m x', 'stash push -- src', 'status', 'describe --always --dirty'])(
    '`git %s` touches only described files',
    (command) => {
      const folder = made();
      age(folder);
      expect(undescribed(folder, command)).toEqual([]);
    },
  );

  // A commit of some files reads the other staged ones. A stash reads files of the last commit that the index lacks.
  it.each([
    ['commit -m x src/a.ts', ['e.md', 'src/b.ts']],
    ['stash', ['src/b.ts']],
  ])('`git %s` reads files that are no longer tracked', (command, paths) => {
    const folder = made();
    git(folder, 'rm', '-q', '--cached', 'src/b.ts');
    age(folder);
    const described = describeGit(folder, command);
    const { read } = traceGit(folder, command.split(' '));
    const files = paths.map((path) => `${folder}/${path}`);
    expect(files.filter((path) => read.includes(path))).toEqual(files);
    if (typeof described === 'string') throw new Error(described);
    expect(files.filter((path) => covers(described, path, ['read']))).toEqual(files);
  });
});

describe('`git switch -`', () => {
  it.each(['switch -', 'checkout -', 'checkout @{-1}', 'merge -', 'switch --detach @{-1}~1'])(
    'names its files by the branch before: `git %s`',
    (command) => {
      const folder = made();
      const written = (described: Described | string) => {
        if (typeof described === 'string') throw new Error(described);
        return ['d é.md', 'e.md', 'src/new.ts'].filter((path) =>
          covers(described, `${folder}/${path}`, ['write']),
        );
      };
      expect(written(describeGit(folder, command))).toEqual(command.endsWith('~1') ? [] : ['d é.md']);
      rmSync(join(folder, '.git/logs/HEAD'));
      expect(written(describeGit(folder, command))).toHaveLength(3);
    },
  );
});

describe('`git status` with an exclusion', () => {
  it('lists the parent folders of the excluded path', () => {
    const folder = repositoryOf({ 'src/a.ts': 'a\n', 'lib/a.ts': 'a\n', e: 'e\n' });
    const listed = (command: string) => {
      const described = describeGit(folder, command);
      if (typeof described === 'string') throw new Error(described);
      return ['src', 'lib'].filter((path) => covers(described, `${folder}/${path}`, ['list']));
    };
    expect(listed('status e')).toEqual([]);
    expect(listed('status e :!sr')).toEqual(['src']);
    expect(listed('status e :!*.ts')).toEqual(['src', 'lib']);
  });
});

describe('`git cherry-pick` of an empty commit', () => {
  it('lists the work tree, because git prints its state', () => {
    const folder = repositoryOf({ 'src/a.ts': 'a\n' });
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'empty');
    const described = describeGit(folder, 'cherry-pick main');
    if (typeof described === 'string') throw new Error(described);
    expect([folder, `${folder}/src`].filter((path) => !covers(described, path, ['list']))).toEqual([]);
  });
});

describe('`git diff` of two names', () => {
  it.each([
    ['a.ts /etc/hosts', ['a.ts', '/etc/hosts']],
    ['--stat /etc/hosts a.ts', ['/etc/hosts', 'a.ts']],
    ['a.ts a.ts', []],
    ['a.ts', []],
    ['HEAD:a.ts b.ts', ['HEAD:a.ts', 'b.ts']],
    ['unknown b.ts', ['unknown', 'b.ts']],
  ])('compares files if one may be outside: %s', (names, compared) => {
    const described = describeGit(repositoryOf({ 'a.ts': 'a\n' }), `diff ${names}`);
    if (typeof described === 'string') throw new Error(described);
    const words = described.effects.flatMap((effect) =>
      effect.kind === 'path' && effect.access === 'read' && effect.word.kind === 'text'
        ? [effect.word.text]
        : [],
    );
    expect(words).toEqual(compared);
  });
});

describe('`git mv`', () => {
  it('moves untracked files in a folder, too', () => {
    const folder = repositoryOf({ 'src/a.ts': 'a\n' });
    write(folder, { 'src/in/.env': 'S=1\n' });
    const described = describeGit(folder, 'mv src lib');
    if (typeof described === 'string') throw new Error(described);
    expect(covers(described, `${folder}/src/in/.env`, ['delete'])).toBe(true);
    expect(covers(described, `${folder}/src`, ['delete'])).toBe(true);
    expect(covers(described, `${folder}/lib/in/.env`, ['write'])).toBe(true);
  });

  it('writes where its arguments say, which may be a file of git', () => {
    const folder = repositoryOf({ 'a.ts': 'a\n' });
    const described = describeGit(folder, 'mv -f a.ts .git/packed-refs');
    if (typeof described === 'string') throw new Error(described);
    const writes = described.effects.filter(
      (effect) => effect.kind === 'files' && effect.files.paths.includes(`${folder}/.git/packed-refs`),
    );
    expect(writes).toContainEqual(expect.objectContaining({ access: 'write', by: 'argument' }));
  });

  it('moves each file of a loop to one of the names that the loop gives', async () => {
    const { root, says } = project({ 'a.js': 'a', 'b.js': 'b', 'c.js/x': 'c', '.env': 'S=1' });
    for (const words of [
      ['init', '-q'],
      ['add', 'a.js', 'b.js', '.env'],
    ])
      git(root, ...words);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a command line
    const said = await says('for f in a.js b.js; do git mv "$f" "${f%.js}.ts"; done');
    const expected = ['fs.delete a.js b.js (git)', 'fs.write a.ts (git)', 'fs.read b.ts (git)'];
    expect(said).toEqual(expect.arrayContaining(expected));
    expect(said.filter((each) => /opaque|secret|others/.test(each))).toEqual([]);
    const hidden = await says('for f in env x; do git mv ".$f" "$f.ts"; done');
    expect(hidden.join()).toContain('secret.read .env');
    const linked = await says('x=$(jq -r .a a.js); git mv a.js "$x"');
    expect(linked.join()).toContain('opaque');
  });

  it('reads what it moves, since another name may hide what that is', () => {
    const folder = repositoryOf({ '.env': 'S=1\n' });
    // Otherwise git compares the file before it writes the index.
    utimesSync(join(folder, '.git/index'), new Date(), new Date(Date.now() + 100_000));
    const described = describeGit(folder, 'mv .env new.ts');
    if (typeof described === 'string') throw new Error(described);
    expect(covers(described, `${folder}/.env`, ['read'])).toBe(true);
  });
});

describe('`git stash --keep-index`', () => {
  it('writes what is staged again, also new files', () => {
    const folder = repositoryOf({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
    write(folder, { 'a.ts': 'aa\n', 'new.ts': 'new\n' });
    git(folder, 'add', 'new.ts');
    const described = describeGit(folder, 'stash --keep-index');
    if (typeof described === 'string') throw new Error(described);
    const written = ['a.ts', 'b.ts', 'new.ts'].filter((name) =>
      covers(described, `${folder}/${name}`, ['write']),
    );
    expect(written).toEqual(['a.ts', 'new.ts']);
  });
});

describe('a git command that removes a reference', () => {
  it.each(['branch -d other', 'branch -m newer', 'tag -d v1', 'stash drop', 'stash pop'])(
    'deletes the reference and its log: `git %s`',
    (command) => {
      const folder = made();
      const described = describeGit(folder, command);
      if (typeof described === 'string') throw new Error(described);
      const places = [`${folder}/.git/refs/heads/main`, `${folder}/.git/logs/refs/heads/main`];
      expect(places.filter((path) => !covers(described, path, ['delete']))).toEqual([]);
    },
  );
});

describe('`git branch -d`', () => {
  it('rewrites the settings, even for a branch without any', () => {
    const folder = made();
    const described = describeGit(folder, 'branch -d other');
    if (typeof described === 'string') throw new Error(described);
    expect(covers(described, `${folder}/.git/config`, ['write'])).toBe(true);
  });

  it('writes no setting that runs a program later', () => {
    const folder = made();
    const described = describeGit(folder, 'branch -d other');
    if (typeof described === 'string') throw new Error(described);
    const world = contextAt(folder).world;
    const by = { by: 'git', run: () => ({}), isUnsure: false };
    const names = described.effects.flatMap((effect) =>
      effect.kind === 'files'
        ? capabilitiesOfFiles(effect.files, { ...effect, ...by }, world).map(({ name }) => name)
        : [],
    );
    expect(new Set(names)).toEqual(new Set(['fs.write', 'fs.delete']));
  });
});

describe('`git rebase`', () => {
  it('may write and delete any file of the work tree from another commit', () => {
    const folder = made();
    const described = describeGit(folder, 'rebase --onto side HEAD~1');
    if (typeof described === 'string') throw new Error(described);
    const missing = (['write', 'delete'] as const).filter(
      (way) => !covers(described, `${folder}/e.md`, [way]),
    );
    expect(missing).toEqual([]);
  });
});

describe('`git branch`', () => {
  it.each(['branch -C newer', 'branch -m newer'])(
    'writes the settings of the current branch: %s',
    (command) => {
      const folder = repositoryOf({ 'a.ts': 'a\n' });
      const described = describeGit(folder, command);
      if (typeof described === 'string') throw new Error(described);
      expect(covers(described, `${folder}/.git/config`, ['write'])).toBe(true);
    },
  );
});

describe('`git status NAME`', () => {
  it.each([
    ['srck', ['src'], ['src/deep', 'docs']],
    ['src/dee', ['src', 'src/deep'], ['docs', 'src/other']],
  ])('lists every folder with the name as a prefix: %s', (name, listed, passed) => {
    const folder = repositoryOf({ 'src/deep/a.ts': 'a\n', 'src/other/b.ts': 'b\n', 'docs/c.md': 'c\n' });
    const described = describeGit(folder, `status ${name}`);
    if (typeof described === 'string') throw new Error(described);
    const isListed = (path: string) => covers(described, `${folder}/${path}`, ['list']);
    expect([...listed, ...passed].filter(isListed)).toEqual(listed);
  });
});

/** Other copies of the index have the number of the process in their names. Without settings of a branch, git writes those of the repository as they are. */
function isTemporary(path: string): boolean {
  return /\/\.git\/(?:next-index-\d+\.lock|index\.stash\.\d+(?:\.lock)?|config(?:\.lock)?)$/.test(path);
}
