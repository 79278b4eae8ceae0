import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { listers } from '../../src/listing/listers.js';
import { programs } from '../../src/programs/entry/table.js';
import { performBy } from '../../src/programs/perform.js';
import type { Changes, Described } from '../../src/world.js';
import { contextAt, emptyFolder, touched, words } from './context.js';
import { isThere } from './traced.js';

type Tree = Readonly<Record<string, string>>;

const perform = performBy(programs, listers);
let base = '';
let made = 0;
beforeAll(() => {
  base = emptyFolder();
});
afterAll(() => rmSync(base, { recursive: true }));

function folderOf(tree: Tree): string {
  made += 1;
  const folder = join(base, `tree-${made}`);
  mkdirSync(folder);
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function packing(folder: string, line: string, changes: Partial<Changes> = {}): Described {
  const described = perform('npm', words(...line.split(' ')), contextAt(folder, changes));
  if (described === null) throw new Error('npm is not in the table');
  return described;
}

/** The files that are read, relative to the folder. */
function read(folder: string, line = 'publish', changes: Partial<Changes> = {}): readonly string[] {
  const { paths, open } = touched(packing(folder, line, changes).effects, 'read');
  return [...paths.map((path) => path.slice(folder.length + 1)), ...(open ? ['and others'] : [])];
}

/** What npm itself packs of these folders. */
function reallyPacked(folders: readonly string[]): readonly (readonly string[])[] {
  const env = {
    PATH: process.env.PATH,
    HOME: base,
    npm_config_update_notifier: 'false',
    npm_config_cache: join(base, 'cache'),
    npm_config_offline: 'true',
  };
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', ...folders];
  const { stdout, stderr } = spawnSync('npm', args, { cwd: base, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (stdout === '') throw new Error(stderr);
  const found = JSON.parse(stdout) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return found.map(({ files }) => files.map(({ path }) => path));
}

const named = '"name":"a","version":"1.0.0"';
const plain: Tree = {
  'package.json': `{${named}}`,
  'README.md': '',
  'index.js': '',
  'src/a.js': '',
  '.env': 'TOKEN=1',
  '.npmrc': '',
  '.git/config': '',
  'node_modules/b/index.js': '',
};

const names = [
  'a.js',
  'b.md',
  'README',
  'readme.md',
  '.env',
  '.npmrc',
  'dev.key',
  'index.js',
  'é.js',
  'x.orig',
  'License.txt',
];
const places = [
  '',
  'src/',
  'src/deep/',
  'dist/',
  'Dist/',
  'node_modules/b/',
  '.git/',
  'src/.git/',
  'dist/node_modules/c/',
  '.hid/',
];
const path = fc.tuple(fc.constantFrom(...places), fc.constantFrom(...names)).map((parts) => parts.join(''));
const word = fc.constantFrom(
  'a.js',
  '*.js',
  '*',
  '**',
  'src',
  'dist',
  'deep',
  '.env',
  '.*',
  '*.key',
  'README*',
  '*.[jm]*',
  '{a,b}.js',
  '?.js',
  '.git',
  'DIST',
  'é.js',
  '[jt]s',
  '*.m[cd]',
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '!!', '#', ' ', '\\'),
    fc.constantFrom('', '', '/', './', '**/'),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join('/')),
    fc.constantFrom('', '', '/', '/*', '/**', ' '),
  )
  .map((parts) => parts.join(''));
const ignoreFile = fc.tuple(
  fc
    .tuple(fc.constantFrom('', 'src/', 'dist/', 'src/deep/'), fc.constantFrom('.npmignore', '.gitignore'))
    .map((parts) => parts.join('')),
  fc.array(pattern, { maxLength: 5 }).map((lines) => lines.join('\n')),
);
const manifest = fc.record(
  {
    files: fc.array(pattern, { maxLength: 4 }),
    main: fc.constantFrom('index.js', './src/a.js', 'dist', 'node_modules/b/a.js'),
    bin: fc.constantFrom<unknown>('src/a.js', { a: './dist/a.js' }),
    browser: fc.constantFrom<unknown>('dist/a.js', { './a.js': './b.js' }),
  },
  { requiredKeys: [] },
);
const tree = fc
  .tuple(fc.array(path, { maxLength: 25 }), fc.array(ignoreFile, { maxLength: 3 }), manifest)
  .map(
    ([paths, ignoring, more]): Tree => ({
      ...Object.fromEntries(paths.map((each) => [each, ''])),
      ...Object.fromEntries(ignoring),
      'package.json': JSON.stringify({ name: 'a', version: '1.0.0', ...more }),
    }),
  );

describe.skipIf(!isThere('npm'))('npm pack', () => {
  it('reads at least the files that npm packs', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 40, maxLength: 40 }), (trees) => {
        const folders = trees.map(folderOf);
        for (const [at, files] of reallyPacked(folders).entries())
          expect([trees[at], read(folders[at] ?? '')]).toEqual([
            trees[at],
            expect.arrayContaining([...files]),
          ]);
      }),
      { ...explore(10), endOnFailure: true },
    );
  });
});

describe('npm publish and npm pack', () => {
  const ignoring = { '.gitignore': '.env\n', 'src/.npmignore': 'b.js\n', 'src/b.js': '' };

  it.each<[string, Tree, string, readonly string[]]>([
    [
      'omits files that .gitignore excludes',
      ignoring,
      'publish',
      ['.gitignore', 'README.md', 'index.js', 'package.json', 'src/.npmignore', 'src/a.js'],
    ],
    [
      'ignores .gitignore if there is a .npmignore',
      { ...ignoring, '.npmignore': 'src/' },
      'pack',
      ['.env', '.gitignore', '.npmignore', 'README.md', 'index.js', 'package.json'],
    ],
    [
      'packs with `files` only these and the required ones',
      { 'package.json': `{${named},"files":["src"]}` },
      'pack --dry-run',
      ['README.md', 'package.json', 'src/a.js'],
    ],
    [
      'packs every file if a rule is not understood',
      { '.npmignore': '{.env,src}\n' },
      'pack',
      ['.env', '.npmignore', 'README.md', 'index.js', 'package.json', 'src/a.js'],
    ],
    [
      'packs every file with workspaces',
      { 'package.json': `{${named},"workspaces":["src"]}` },
      'pack',
      Object.keys(plain).sort(),
    ],
    [
      'packs every file of another workspace',
      ignoring,
      'publish -w src',
      Object.keys({ ...plain, ...ignoring }).sort(),
    ],
    ['reads an archive', {}, 'publish ./README.md', ['README.md']],
    ['reads no file of the folder for a package of the registry', {}, 'pack zod@4', []],
  ])('%s', (_, more, line, expected) => {
    expect(read(folderOf({ ...plain, ...more }), line)).toEqual(expected);
  });

  it('follows no rules that an earlier command may have changed', () => {
    const folder = folderOf({ ...plain, '.gitignore': '.env\n' });
    const at = (name: string) => new Set([join(folder, name)]);
    expect(read(folder)).not.toContain('.env');
    expect(read(folder, 'publish', { created: at('new.js') })).toEqual(expect.arrayContaining(['new.js']));
    for (const changes of [
      { created: at('.npmignore') },
      { removed: at('.gitignore') },
      { created: at('package.json') },
      { open: new Set([folder]) },
    ])
      expect(read(folder, 'publish', changes)).toContain('.env');
  });

  it('packs no target of a link', () => {
    const folder = folderOf({ ...plain, '.npmignore': '.env\n' });
    symlinkSync('.env', join(folder, 'link'));
    expect(read(folder)).toEqual(['.npmignore', 'README.md', 'index.js', 'package.json', 'src/a.js']);
  });

  it('reads the target of an ignore file that is a link', () => {
    const folder = folderOf({ ...plain, rules: 'src\nrules\n' });
    symlinkSync('rules', join(folder, '.npmignore'));
    expect(read(folder)).toEqual(['.env', '.npmignore', 'README.md', 'index.js', 'package.json', 'rules']);
    expect(read(folder, 'publish', { created: new Set([join(folder, 'rules')]) })).toContain('src/a.js');
  });

  it('names the archive that npm pack writes', () => {
    const folder = folderOf({ 'package.json': '{"name":"@s/a","version":"1.0.0"}' });
    const writes = (line: string) =>
      packing(folder, line).effects.filter((effect) => 'access' in effect && effect.access === 'write');
    expect(writes('pack')).toEqual([
      { kind: 'path', access: 'write', word: { kind: 'text', text: 's-a-1.0.0.tgz' }, by: 'program' },
    ]);
    expect(writes('pack --dry-run')).toEqual([]);
    expect(writes('pack zod')).toEqual([
      { kind: 'path', access: 'write', word: { kind: 'text', text: '.' }, by: 'program', deep: true },
    ]);
  });
});
