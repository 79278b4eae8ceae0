import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Access } from '../../../src/effect.js';
import { namesWord, onlyNames, text, type Word } from '../../../src/word.js';
import { project } from '../../read/world.js';
import { describedOf, emptyFolder, touched } from '../context.js';
import { commit, describeGit, git, repositoryOf, write } from './repository.js';

const files = { 'src/a.ts': 'a\n', 'b.txt': 'b\n' };

/** The effects of a command in the work tree, as text; why it is opaque. */
function effectsIn(folder: string, command: string): string {
  const described = describeGit(folder, command);
  return typeof described === 'string' ? described : JSON.stringify(described.effects);
}

describe('git with a setting that names a file', () => {
  it.each([
    ['blame.ignoreRevsFile', 'blame b.txt'],
    ['mailmap.file', 'log --oneline'],
    ['core.attributesFile', 'status'],
    ['core.excludesFile', 'check-ignore -v b.txt'],
    ['diff.orderFile', 'log --name-only'],
    ['commit.template', 'commit --no-edit'],
  ])('reads that file: `%s`, `git %s`', (key, command) => {
    const folder = repositoryOf(files);
    git(folder, 'config', key, '.env');
    const read = { kind: 'path', access: 'read', word: { kind: 'text', text: join(folder, '.env') } };
    const described = describeGit(folder, command);
    expect(typeof described === 'string' ? described : described.effects).toContainEqual(
      expect.objectContaining(read),
    );
  });

  it.each([
    ['blame.ignoreRevsFile', '.env', 'log --oneline'],
    ['commit.template', '.env', 'status'],
    ['core.excludesFile', '', 'status'],
  ])('does not where it is for other commands, or empty: `%s = %s`, `git %s`', (key, value, command) => {
    const folder = repositoryOf(files);
    git(folder, 'config', key, value);
    expect(effectsIn(folder, command)).not.toContain('"kind":"path"');
  });
});

describe('git that changes settings', () => {
  it.each([
    ['config a.b c', true],
    ['config --add a.b c', true],
    ['config --unset a.b', true],
    ['config --worktree set a.b c', true],
    ['config a.b', false],
    ['config --get a.b c', false],
    ['config get a.b', false],
    ['config --global a.b c', false],
    ['config -f F a.b c', false],
  ])('carries `sys.persist` for the file of the repository: `git %s`', async (command, isWritten) => {
    const { root, says } = project(files);
    git(root, 'init', '-q', '-b', 'main');
    const carried = await says(`git ${command}`);
    expect(carried.some((each) => each.startsWith('sys.persist .git/config'))).toBe(isWritten);
  });
});

describe('git that starts a program', () => {
  it.each(['log --alternate-refs', 'rev-list --alternate-refs', 'shortlog --alternate-refs'])(
    'is opaque, since the program asks other repositories: `git %s`',
    (command) => expect(effectsIn(repositoryOf(files), command)).toContain('--alternate-refs'),
  );

  it.each([
    ['commit --fixup=HEAD', false],
    ['commit --fixup=HEAD~1 -a', false],
    ['commit --fixup=reword:HEAD', true],
    ['commit --fixup amend:HEAD', true],
  ])('is opaque where a fixup has a message of its own: `git %s`', (command, isOpaque) => {
    expect(effectsIn(repositoryOf(files), command).includes('editor')).toBe(isOpaque);
  });
});

describe('git archive', () => {
  const signed = (folder: string) => {
    const text = git(folder, 'cat-file', 'commit', 'HEAD').replace(
      /^committer .*$/m,
      '$&\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----',
    );
    const file = join(emptyFolder(), 'commit');
    writeFileSync(file, text);
    const id = git(folder, 'hash-object', '-t', 'commit', '-w', file).trim();
    git(folder, 'update-ref', 'HEAD', id);
  };
  const formats = { 'src/.gitattributes': 'a.ts export-subst\n', 'src/a.ts': '$Format:%G?$\n' };

  it('is opaque if files of a signed commit hold formats', () => {
    const folder = repositoryOf(formats);
    expect(effectsIn(folder, 'archive HEAD')).toContain('vcs.read');
    signed(folder);
    expect(effectsIn(folder, 'archive HEAD')).toContain('signatures');
    expect(effectsIn(folder, 'archive $v')).toContain('signatures');
    expect(effectsIn(folder, 'archive HEAD:src')).toContain('vcs.read');
  });

  it('is described if they hold none', () => {
    const folder = repositoryOf(files);
    signed(folder);
    expect(effectsIn(folder, 'archive HEAD')).toContain('vcs.read');
    git(folder, 'config', 'core.attributesFile', join(folder, 'attributes'));
    writeFileSync(join(folder, 'attributes'), '* export-subst\n');
    expect(effectsIn(folder, 'archive HEAD')).toContain('signatures');
  });
});

describe('git commit', () => {
  it('reads files that are staged, and those of the commit that it replaces', () => {
    const folder = repositoryOf(files);
    writeFileSync(join(folder, '.env'), 'S=1\n');
    git(folder, 'add', '-f', '.env');
    expect(effectsIn(folder, 'commit -m x')).toContain('/.env');
    git(folder, 'commit', '-q', '-m', 'x');
    expect(effectsIn(folder, 'commit --amend -m x')).toContain('/.env');
  });

  it('writes the notes about conflicts where git keeps them', () => {
    const folder = repositoryOf(files);
    expect(effectsIn(folder, 'commit -m x')).not.toContain('MERGE_RR');
    mkdirSync(join(folder, '.git/rr-cache'));
    expect(effectsIn(folder, 'commit -m x')).toContain('.git/MERGE_RR');
    rmSync(join(folder, '.git/rr-cache'), { recursive: true });
    git(folder, 'config', 'rerere.enabled', 'true');
    expect(effectsIn(folder, 'commit -m x')).toContain('.git/MERGE_RR');
  });

  it('removes the notes of a merge, as other commands that end it do', () => {
    const folder = repositoryOf(files);
    git(folder, 'checkout', '-q', '-b', 'other');
    commit(folder, { 'c.txt': 'c\n' });
    git(folder, 'checkout', '-q', 'main');
    git(folder, 'merge', '-q', '--no-ff', '--no-commit', 'other');
    for (const command of ['commit -m x', 'reset --hard', 'checkout -f other', 'stash'])
      expect(effectsIn(folder, command)).toMatch(/"delete".*MERGE_HEAD/);
    writeFileSync(join(folder, '.git/MERGE_RR'), '');
    expect(effectsIn(folder, 'commit -m x')).toContain('rr-cache');
    rmSync(join(folder, '.git/MERGE_RR'));
    git(folder, 'commit', '-q', '-m', 'x');
    expect(effectsIn(folder, 'commit --allow-empty -m x')).not.toContain('"delete"');
    // An earlier command of the line may have begun one.
    const begun = describeGit(folder, 'commit -m x', { created: new Set([join(folder, '.git/SQUASH_MSG')]) });
    expect(JSON.stringify(begun)).toMatch(/"delete".*SQUASH_MSG/);
  });
});

describe('git stash', () => {
  it('shows content if a setting says so', () => {
    const folder = repositoryOf({ ...files, '.env': 'S=1\n' });
    writeFileSync(join(folder, '.env'), 'S=2\n');
    git(folder, 'stash', '-q');
    expect(effectsIn(folder, 'stash show')).toBe('[]');
    git(folder, 'config', 'stash.showPatch', 'true');
    expect(effectsIn(folder, 'stash show')).toContain('/.env');
  });
});

describe('git with paths of which there may be none', () => {
  const folder = repositoryOf({ 'a.txt': 'a\n', 'b.txt': 'a\n' });
  write(folder, { 'a.txt': 'b\n', 'b.txt': 'b\n', 'c.txt': '' });
  const many = namesWord(onlyNames(['a.txt']), 'many');
  const pathsOf = (access: Access, command: string, ...more: readonly Word[]) =>
    touched(
      describedOf(describeGit(folder, [...command.split(' ').map(text), ...more])).effects,
      access,
    ).paths.map((path) => path.slice(folder.length + 1));

  it.each([
    ['read', 'grep -l a --'],
    ['read', 'grep'],
    ['delete', 'clean -f --'],
    ['write', 'stash push --'],
  ] as const)('has the effects of none, to %s by %s', (access, command) => {
    expect(pathsOf(access, command, many)).toEqual(expect.arrayContaining(pathsOf(access, command)));
    const some: Word = { ...many, isSome: true };
    const isPattern = command === 'grep';
    expect(pathsOf(access, command, some).includes('b.txt')).toBe(isPattern);
  });

  it('changes nothing without a path where it needs one', () => {
    for (const command of ['restore', 'rm -f', 'add'])
      for (const access of ['write', 'delete'] as const)
        expect(pathsOf(access, command, many)).not.toContain('b.txt');
    expect(pathsOf('read', 'add', many)).not.toContain('c.txt');
    expect(pathsOf('read', 'add -A', many)).toContain('c.txt');
  });
});

describe('a folder that git reads', () => {
  it.each([
    ['status', 'out'],
    ['clean -fd', 'out'],
    ['grep --untracked x', 'empty'],
  ])('is listed although it is excluded, or empty: `git %s`', (command, name) => {
    const folder = repositoryOf({ '.gitignore': 'out\nlog\n', 'out/a': 'a\n' });
    mkdirSync(join(folder, 'empty'));
    write(folder, { 'log/a': 'a\n' });
    const { effects } = describedOf(describeGit(folder, command));
    const listed = touched(effects, 'list').paths;
    expect(listed).toContain(join(folder, name));
    expect(listed).not.toContain(join(folder, 'log'));
  });
});

describe('git checkout with files after dashes', () => {
  it.each([
    ['checkout -- b.txt', false],
    ['checkout HEAD -- b.txt src', false],
    ['checkout b.txt', true],
    ['checkout', true],
  ])('writes references only where it may switch: `git %s`', (command, isWriting) => {
    expect(effectsIn(repositoryOf(files), command).includes('/refs')).toBe(isWriting);
  });

  it('leaves the last commit known to later commands of the line', async () => {
    const { root, says } = project(files);
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'add', '-A');
    commit(root, { 'b.txt': 'c\n' });
    const after = (command: string) => says(`${command} && git restore --staged src/a.ts && git diff`);
    expect(await after('git checkout -- b.txt')).not.toContainEqual(expect.stringMatching(/^secret.read/));
    expect(await after('git checkout b.txt')).toContainEqual(expect.stringMatching(/^secret.read/));
  });
});

describe('git -C', () => {
  it.each([
    ['git -C src diff --no-index /dev/null a.ts', 'fs.read src/a.ts (git)'],
    ['git -C / diff --no-index /dev/null etc/passwd', 'fs.read.outside /etc/passwd (git)'],
    ['git -C src hash-object a.ts', 'fs.read src/a.ts (git)'],
    ['git -C nested apply p.diff', 'fs.read nested/p.diff (git)'],
  ])('reads files of that folder: %s', async (line, expected) => {
    const { root, says } = project({ ...files, 'nested/p.diff': '' });
    for (const folder of ['.', 'nested']) git(join(root, folder), 'init', '-q', '-b', 'main');
    const read = (await says(line)).filter((each) => each.startsWith('fs.read'));
    expect(read).toEqual([expected]);
  });
});
