import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { text, unknown } from '../../src/word.js';
import type { Described } from '../../src/world.js';
import { contextAt, emptyFolder, fillOddly, listed, namesOf, touched, words } from './context.js';
import { canTrace, isThere, opened } from './traced.js';

const hasRg = isThere('rg');
const fdName = isThere('fdfind') ? 'fdfind' : 'fd';
const hasFd = isThere(fdName);

let folder = '';
beforeAll(() => {
  folder = emptyFolder();
  spawnSync('git', ['init', '-q', folder]);
  fillOddly(folder);
  for (const place of ['.', 'src', 'src/src', '.dot']) {
    writeFileSync(join(folder, place, '.gitignore'), '*.log\n/a\n!.hidden\nnode_modules/\n');
    writeFileSync(join(folder, place, '.ignore'), '!c.log\ntab*\n');
  }
  writeFileSync(join(folder, 'src/.rgignore'), '!tab*\n');
  writeFileSync(join(folder, 'src/.fdignore'), 'b.ts\n');
  writeFileSync(join(folder, '.git/info/exclude'), 'star*\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };

function real(program: string, args: readonly string[], cwd = folder): readonly string[] {
  const { stdout } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return [...new Set(stdout.split('\0').slice(0, -1))].sort();
}

const searches: readonly (readonly string[])[] = [
  ['--files'],
  ['--files', '.'],
  ['--files', 'src'],
  ['--files', 'src/', '.dot'],
  ['--files', '--hidden'],
  ['--files', '-.'],
  ['--files', '--no-ignore'],
  ['--files', '-u'],
  ['--files', '-uu'],
  ['--files', '-uuu', 'src'],
  ['--files', '--no-ignore-vcs'],
  ['--files', '--no-ignore-dot'],
  ['--files', '--no-ignore-exclude'],
  ['--files', '--no-ignore-parent', 'src'],
  ['--files', '-g', '*.ts'],
  ['--files', '-g', '!*.ts'],
  ['--files', '-g', '.hidden'],
  ['--files', '-g', '*.log'],
  ['--files', '-g', 'src/**', '-g', '!b.ts'],
  ['--files', '--iglob', '*.TS'],
  // What --iglob says counts after what -g says.
  ['--files', '--iglob', '*.TS', '-g', '!*.ts'],
  ['--files', '-g', '*.{ts,log}'],
  ['--files', '-g', '!*.{ts,log}'],
  ['--files', '-g', '{src,a}/**', '-g', '!{b,c}.{ts,log}'],
  ['--files', '-t', 'ts'],
  ['--files', '-tjson'],
  ['--files', '--type-add', 'vue:*.log', '-t', 'vue'],
  ['--files', '--type-add=sol:*.{ts,x}', '-tsol', '--hidden'],
  ['--files', '--type-add', 'ts:b.*', '--type-add', 'vue:a*', '-t', 'ts'],
  ['--files', '--max-depth', '1'],
  ['--files', 'to-folder'],
  ['--files', 'to-file', 'a'],
  ['-l', 'needle'],
  ['-l', 'needle', 'src'],
  ['-l', '-e', 'needle', './src'],
];

it.each([
  ['--type-add vue:*.log -t vue', ['c.log']],
  ['--type-add vue:b.* --type-clear=js -tvue', ['b.ts']],
  ['--type-add web:include:ts -t web', null],
  ['--type-add odd:*.log -t odd', null],
])('rg %s searches known files of the type only', (written, expected) => {
  const { effects } = listed('rg', words('-u', ...written.split(' '), 'needle', 'src'), contextAt(folder));
  const names = touched(effects, 'read').paths.map((path) => basename(path));
  const own = names.filter((name) => !/^\.(?:git|rg)?ignore$/.test(name));
  expect(own.includes('a')).toBe(expected === null);
  if (expected !== null) expect([...new Set(own)]).toEqual(expected);
});

describe.skipIf(!hasRg)('rg', () => {
  it.each(searches)('prints exactly the described files: %j %j %j %j', (...args) => {
    const printed = real('rg', ['-0', ...args]);
    const said = namesOf(listed('rg', words('-0', ...args), contextAt(folder)));
    expect(printed.filter((name) => said?.includes(name) !== true)).toEqual([]);
    if (!args.includes('-l')) expect(said).toEqual(printed);
  });

  it
    .skipIf(!canTrace)
    .each([['needle'], ['needle', 'src'], ['-u', 'needle', '.dot'], ['--files'], ['needle', '-g', '*.ts']])(
    'reads only described files: %j %j %j',
    (...args) => {
      const { effects } = listed('rg', words(...args), contextAt(folder));
      const { files, folders } = opened(['rg', ...args], folder);
      const read = touched(effects, 'read').paths;
      expect(files.filter((path) => !read.includes(path) && !path.startsWith(`${folder}/.git/`))).toEqual([]);
      expect(folders.filter((path) => !touched(effects, 'list').paths.includes(path))).toEqual([]);
    },
  );

  it('searches its input when there is one', () => {
    const input = { kind: 'unknown' } as const;
    const described = listed('rg', words('needle'), { ...contextAt(folder), input });
    expect([described.effects, described.leavesInput]).toEqual([[], false]);
    expect(listed('rg', words('needle'), contextAt(folder)).effects).toHaveLength(2);
  });

  it('is open if it follows links or a word is unknown', () => {
    expect(touched(listed('rg', words('-L', 'x'), contextAt(folder)).effects, 'read')).toMatchObject({
      open: true,
      under: null,
    });
    const unsure = listed('rg', [text('x'), unknown('$d/x', { start: 'd' })], contextAt(folder));
    expect(touched(unsure.effects, 'read')).toMatchObject({ open: true, under: null });
    expect(() => listed('rg', words('--pre', 'cat', 'x'), contextAt(folder))).toThrow('--pre');
  });

  it('shows files that an earlier command may have unhidden', () => {
    const context = contextAt(folder, { created: new Set([`${folder}/src/.ignore`]) });
    expect(namesOf(listed('rg', words('--files', 'src'), context))).toContain('src/c.log');
    const gone = contextAt(folder, { removed: new Set([`${folder}/.git`]) });
    expect(namesOf(listed('rg', words('--files'), gone))).toContain('star*');
  });

  it('finds only described files, for any ignore files', () => {
    const top = emptyFolder();
    spawnSync('git', ['init', '-q', join(top, 'repository')]);
    const paths = ['a/b/c', 'a/.h/c', '.h/a', 'b', 'a/b/.env', '.env', 'c/a.log', 'c/.git/x', 'c/a/b'];
    for (const path of paths) {
      mkdirSync(join(top, 'repository', path, '..'), { recursive: true });
      writeFileSync(join(top, 'repository', path), '');
    }
    const pattern = fc
      .array(
        fc.constantFrom('a', 'b', 'c', '*', '**', '/', '.h', '.env', '[ab]', '!', '?', '.log', '{a,b}'),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((parts) => parts.join(''));
    const file = fc.array(pattern, { maxLength: 3 }).map((lines) => lines.join('\n'));
    const option = fc.constantFrom(
      [],
      ['-g', '!b'],
      ['-g', '*a*'],
      ['--hidden'],
      ['-t', 'json'],
      ['--no-ignore-vcs'],
    );
    const start = fc.constantFrom([], ['a'], ['./c'], ['a/b', '.h']);
    let extra = 0;
    let all = 0;
    fc.assert(
      fc.property(file, file, file, file, option, start, (git, inner, ignore, above, options, starts) => {
        writeFileSync(join(top, 'repository/.gitignore'), git);
        writeFileSync(join(top, 'repository/a/.gitignore'), inner);
        writeFileSync(join(top, 'repository/a/.ignore'), ignore);
        writeFileSync(join(top, '.ignore'), above);
        const cwd = join(top, 'repository');
        for (const [name, program, args] of [
          ['rg', 'rg', ['-0', '--files', ...options, ...starts]],
          ['fd', fdName, ['-0', ...options.filter((each) => each === '--hidden'), '.', ...starts]],
        ] as const) {
          if (name === 'fd' && !hasFd) continue;
          const printed = real(program, args, cwd);
          const said = namesOf(listed(name, words(...args), contextAt(cwd))) ?? [];
          expect([name, printed.filter((each) => !said.includes(each))]).toEqual([name, []]);
          if (name === 'rg') {
            all += printed.length;
            extra += said.length - printed.length;
          }
        }
      }),
      { ...explore(100), examples: [['a/[ab]/', 'a{a,b}', '', '', [], ['a']]] },
    );
    rmSync(top, { recursive: true });
    // Not everything is said; which rules are drawn decides how much more.
    expect(extra).toBeLessThan(3 * all + 30);
  });
});

const finds: readonly (readonly string[])[] = [
  [],
  ['ts'],
  ['.', 'src'],
  ['-H', '.', 'src/'],
  ['-I'],
  ['-u'],
  ['-e', 'ts'],
  ['-t', 'f'],
  ['-t', 'd', '-t', 'l'],
  ['-g', '*.ts'],
  ['-F', 'c.log', '.'],
  ['\\.ts$'],
  ['^b'],
  ['-E', '*.ts'],
  ['-E', 'src'],
  ['-d', '1'],
  ['--exact-depth', '2'],
  ['--min-depth', '2'],
  ['-a', 'b'],
  ['-p', 'src/b'],
  ['--no-ignore-vcs'],
  ['--search-path', 'src', 'b'],
  ['.', 'to-folder'],
];

describe.skipIf(!hasFd)('fd', () => {
  it.each(finds)('prints only described files: %j %j %j', (...args) => {
    const printed = real(fdName, ['-0', ...args]);
    const said = namesOf(listed('fd', words('-0', ...args), contextAt(folder)));
    expect(printed.filter((name) => said?.includes(name) !== true)).toEqual([]);
    const plain = (names: readonly string[] | null) => [
      ...new Set(names?.map((name) => name.replace(/^\.\/|\/$/g, '').replace(/\/$/, ''))),
    ];
    // Options that match more than the name are not modelled, and characters outside ASCII match anything.
    const isExact = !args.includes('-p') && args.every((arg) => !/ts|log|b/.test(arg));
    if (isExact) expect(plain(said).filter((name) => !plain(printed).includes(name))).toEqual([]);
  });

  it('runs commands with the files that it finds', () => {
    const run = (...args: readonly string[]) =>
      listed('fd', words(...args), contextAt(folder)).effects.find(({ kind }) => kind === 'run');
    const names = (texts: readonly string[], count: 'one' | 'many' = 'one') =>
      ({ kind: 'names', before: '', names: { texts, open: false, under: null }, after: '', count }) as const;
    const only = ['-d', '1', '-g', 'b.ts'];
    const context: Described['effects'][number] = { kind: 'run', words: [text('rm'), names(['./b.ts'])] };
    expect(run(...only, '-x', 'rm')).toEqual(context);
    expect(run(...only, '-X', 'rm', '{}')).toEqual({
      kind: 'run',
      words: [text('rm'), names(['./b.ts'], 'many')],
    });
    expect(run(...only, '-x', 'cp', '{}', '{.}.bak', ';')).toEqual({
      kind: 'run',
      words: [text('cp'), names(['./b.ts']), { ...names(['./b']), after: '.bak' }],
    });
  });
});

describe('programs that read code', () => {
  const read = (program: string, ...args: readonly string[]) =>
    touched(listed(program, words(...args), contextAt(folder)).effects, 'read').paths;
  const at = (...names: readonly string[]) => names.map((name) => join(folder, name));

  it('leave out what is hidden or ignored, unless an option shows it', () => {
    expect(read('tokei', 'src')).toEqual(read('ast-grep', 'run', '-p', 'x', 'src'));
    expect(read('tokei')).toEqual(read('ast-grep', '-p', 'x', '.'));
    expect(read('tokei')).toEqual(expect.arrayContaining(at('b.ts', 'src/b.ts', 'c.log')));
    const left = at('star*', '.dot/b.ts', 'tab\t');
    expect(read('tokei').filter((path) => left.includes(path))).toEqual([]);
    expect(read('tokei', '--hidden')).toContain(join(folder, '.dot/b.ts'));
    for (const option of ['--no-ignore=hidden', '--globs=**/b.ts'])
      expect(read('ast-grep', '-p', 'x', option)).toEqual(expect.arrayContaining(left));
    expect(read('tokei', '--no-ignore')).toEqual(expect.arrayContaining(left));
  });

  it('read a folder even if there is an input', () => {
    const input = { kind: 'text', text: 'a' } as const;
    for (const line of [['tokei'], ['ast-grep', 'run', '-k', 'x', '--stdin']]) {
      const [program = '', ...args] = line;
      const { effects } = listed(program, words(...args), { ...contextAt(folder), input });
      expect(touched(effects, 'read').paths).toContain(join(folder, 'b.ts'));
    }
  });

  it.each([['scan'], ['scan', '-p', 'x'], ['-l', 'ts', 'test'], ['new'], ['lsp'], ['--', 'run']])(
    'are unknown without a known command: ast-grep %j %j %j',
    (...args) => {
      expect(() => listed('ast-grep', words(...args), contextAt(folder))).toThrow('only the command `run`');
    },
  );

  it
    .skipIf(!canTrace || !isThere('ast-grep'))
    .each([
      [],
      ['src', 'to-folder'],
      ['--no-ignore', 'hidden'],
      ['--no-ignore', 'vcs', 'src'],
      ['--globs', '!src'],
      ['--globs', '**/*.ts'],
    ])('are read as described: ast-grep run -l ts %j %j %j', (...options) => {
    const args = ['run', '-p', 'needle', '-l', 'ts', ...options];
    const { files, stdout } = opened(['ast-grep', ...args], folder);
    expect(stdout).toContain('needle');
    expect(files.filter((path) => !read('ast-grep', ...args).includes(path) && !isIgnoreFile(path))).toEqual(
      [],
    );
  });
});

const isIgnoreFile = (path: string) => /\/\.(?:git|ignore|agignore|hgignore)/.test(path);

describe.each(['ag', 'ack'])('%s', (program) => {
  it.skipIf(!canTrace || !isThere(program)).each([['needle'], ['needle', 'src'], ['-l', 'needle', '.']])(
    'reads only described files: %j %j %j',
    (...args) => {
      const { effects } = listed(program, words(...args), contextAt(folder));
      const { files } = opened([program, ...args], folder);
      const read = touched(effects, 'read').paths;
      expect(files.filter((path) => !read.includes(path) && !isIgnoreFile(path))).toEqual([]);
    },
  );
});
