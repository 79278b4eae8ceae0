import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text } from '../../../src/word.js';
import { emptyFolder } from '../context.js';
import { commit, describeGit, git, repositoryOf, write } from './repository.js';

const names = [
  'a.ts',
  'src/a.ts',
  'src/deep/b.ts',
  'src/deep/c.js',
  'd é/ü.md',
  'sp ace/x y',
  'new\nline',
  'quo"te',
  '[x].ts',
  'star*.ts',
  '-n',
  '.hidden/f',
  '.env.example',
  'a/b/c/d/e/f.txt',
  ':odd',
  'back\\slash',
  `${'long/'.repeat(20)}name`,
  'src.ts/inner',
];
const filesOf = (list: readonly string[]) => Object.fromEntries(list.map((name) => [name, `${name}\n`]));

/** The names that a command prints, each ended by NUL; null where they are unknown or there may be others. */
function namesOf(folder: string, args: readonly string[]): readonly string[] | null | string {
  const described = describeGit(folder, args.map(text));
  if (typeof described === 'string') return described;
  const { output } = described;
  return output.kind === 'names' && !output.names.open ? [...output.names.texts].sort() : null;
}

function realNames(folder: string, args: readonly string[]): readonly string[] {
  return git(folder, ...args)
    .split('\0')
    .filter((name) => name !== '')
    .sort();
}

function busy(version: string): string {
  const folder = repositoryOf({ 'a.ts': 'a\n' });
  git(folder, 'update-index', '--index-version', version);
  commit(folder, filesOf(names));
  write(folder, {
    '.gitignore':
      '*.log\n!keep.log\n/out/\nbuild\ntmp-*\n\\#x\n**/cache/**\n!**/cache/kept\nd é/*.bak\n[ab].tmp\nsrc/*.map\n',
    'src/.gitignore': '!x.log\n/only\n*.gen.*\n',
    'x.log': '',
    'keep.log': '',
    'src/x.log': '',
    'src/y.log': '',
    'out/f': '',
    'src/out/f': '',
    'build/f': '',
    'src/build/f': '',
    'tmp-1': '',
    '#x': '',
    'q/cache/f': '',
    'q/cache/kept': '',
    'd é/z.bak': '',
    'a.tmp': '',
    'c.tmp': '',
    'src/m.map': '',
    'src/deep/m.map': '',
    'src/only': '',
    'src/deep/only': '',
    'src/k.gen.ts': '',
    'fresh/f': '',
    'fresh/deep/g': '',
    'unix\tname': '',
    'src/fresh.ts': '',
  });
  symlinkSync('a.ts', join(folder, 'link.ts'));
  symlinkSync('src', join(folder, 'linked'));
  mkdirSync(join(folder, 'nothing'));
  write(folder, { '.git/info/exclude': 'fresh/deep\n' });
  git(folder, 'add', 'src/fresh.ts');
  git(folder, 'update-index', '--assume-unchanged', 'a.ts');
  if (version !== '2') git(folder, 'add', '-N', 'fresh/f');
  return folder;
}

const commands: readonly (readonly string[])[] = [
  [],
  ['-c'],
  ['-o'],
  ['-o', '--exclude-standard'],
  ['-o', '-c', '--exclude-standard'],
  ['src'],
  ['*.ts'],
  ['src/*.ts'],
  ['./src/'],
  ['src/a*'],
  [':(glob)src/*.ts'],
  [':(glob)**/*.ts'],
  [':(literal)star*.ts'],
  [':(exclude)src'],
  [':!src', '.'],
  [':^*.ts'],
  [':(icase)SRC'],
  [':/src'],
  [':(top)src'],
  ['src', 'a'],
  ['nowhere'],
  ['[x].ts'],
  ['-o', '--exclude-standard', 'src'],
  ['-o', '--exclude-standard', '*.log'],
  ['--', '-n'],
  ['--', ':odd'],
  ['-o', '--exclude-standard', 'fresh'],
  ['s?c/*'],
  ['src.ts'],
  ['src/deep/../a.ts'],
  ['--full-name'],
  ['--full-name', '-o', '--exclude-standard'],
];

describe.each(['2', '3', '4'])('names that git prints with an index of version %s', (version) => {
  const folder = busy(version);
  it.each(commands)('prints the names of `git ls-files %s %s %s`', (...args) => {
    const all = ['ls-files', '-z', ...args];
    expect(namesOf(folder, all)).toEqual(realNames(folder, all));
  });

  it.each(commands)('prints the names of `git ls-files %s %s %s` in a folder of the work tree', (...args) => {
    const all = ['ls-files', '-z', ...args];
    const inside = join(folder, 'src');
    const wanted = (() => {
      try {
        return realNames(inside, all);
      } catch {
        return null;
      }
    })();
    if (wanted !== null) expect(namesOf(inside, all)).toEqual(wanted);
  });

  it.each([
    ['HEAD'],
    ['-r', 'HEAD'],
    ['-r', 'main~0', 'src', 'a'],
    ['-r', 'HEAD', 'src/deep/', 'nowhere', 'src.t'],
  ])('prints the names of `git ls-tree --name-only %s %s %s %s`', (...args) => {
    const all = ['ls-tree', '-z', '--name-only', ...args];
    expect(namesOf(folder, all)).toEqual(realNames(folder, all));
    expect(namesOf(join(folder, 'src'), all)).toBeNull();
  });

  it('prints the names of files that may have changed, and more', () => {
    write(folder, { 'src/a.ts': 'changed\n' });
    for (const all of [
      ['ls-files', '-z', '-m'],
      ['diff', '-z', '--name-only'],
      ['grep', '-z', '-l', 'ts'],
    ]) {
      const found = namesOf(folder, all);
      expect(found).toEqual(expect.arrayContaining([...realNames(folder, all)]));
    }
  });
});

describe('work trees of git', () => {
  it('finds the index and the history of a second work tree', () => {
    const folder = repositoryOf({ 'a.ts': 'a\n' });
    commit(folder, { '.env': 'S=1\n' });
    git(folder, 'rm', '-q', '.env');
    commit(folder, { 'b.ts': 'b\n' });
    const other = join(emptyFolder(), 'tree');
    git(folder, 'worktree', 'add', '-q', other, '-b', 'other', 'HEAD~2');
    git(folder, 'gc', '-q');
    expect(namesOf(other, ['ls-files', '-z'])).toEqual(['a.ts']);
    expect(JSON.stringify(describeGit(other, 'log -p --all'))).toContain(`${other}/.env`);
    expect(JSON.stringify(describeGit(other, 'show HEAD'))).not.toContain('.env');
    expect(JSON.stringify(describeGit(other, 'show main~1'))).toContain(`${other}/.env`);
  });

  it('enters the folder of -C, and reads a bare repository', () => {
    const folder = repositoryOf({ 'src/a.ts': 'a\n' });
    expect(namesOf(folder, ['-C', 'src', 'ls-files', '-z'])).toEqual(['a.ts']);
    const bare = join(emptyFolder(), 'bare.git');
    git(folder, 'clone', '-q', '--bare', folder, bare);
    expect(JSON.stringify(describeGit(bare, 'show HEAD:.env'))).toContain('secret.read');
    expect(typeof describeGit(bare, 'log -p')).toBe('object');
  });

  it('is opaque when a submodule has its own settings', () => {
    const inner = repositoryOf({ 'x.ts': 'x\n' });
    const folder = repositoryOf({ 'a.ts': 'a\n' });
    git(folder, 'submodule', '--quiet', 'add', inner, 'sub');
    git(folder, 'commit', '-q', '-m', 'sub');
    expect(describeGit(folder, 'status')).toMatch(/submodule/);
    expect(typeof describeGit(join(folder, 'sub'), 'status')).toBe('object');
    expect(namesOf(folder, ['ls-files', '-z'])).toEqual(realNames(folder, ['ls-files', '-z']));
  });

  it('does not read a sparse or a split index', () => {
    const folder = repositoryOf({ 'src/a.ts': 'a\n', 'b.ts': 'b\n' });
    git(folder, 'update-index', '--split-index');
    expect(namesOf(folder, ['ls-files', '-z'])).toBeNull();
    expect(JSON.stringify(describeGit(folder, 'grep x'))).toContain('"open":true');
  });

  it('has no effect outside a repository', () => {
    const folder = emptyFolder();
    for (const command of ['status', 'log -p', 'grep x', 'diff'])
      expect(describeGit(folder, command)).toMatchObject({ effects: [] });
    expect(JSON.stringify(describeGit(folder, 'diff a /etc/passwd'))).toContain('/etc/passwd');
  });
});
