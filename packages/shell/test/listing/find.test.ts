import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { find } from '../../src/listing/search/find.js';
import { text, unknown } from '../../src/word.js';
import { contextAt, describedOf, emptyFolder, fillOddly, namesOf, touched, words } from './context.js';

let folder = '';
beforeAll(() => {
  folder = emptyFolder();
  fillOddly(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The output of the real program, with NUL after each name; null if the program rejects its words. */
function real(args: readonly string[], separator = '\0'): readonly string[] | null {
  const { stdout, stderr } = spawnSync('find', args, { cwd: folder, encoding: 'utf8' });
  if (stdout === '' && stderr !== '' && !/No such file/.test(stderr)) return null;
  return [...new Set(stdout.split(separator).slice(0, -1))].sort();
}

/** Expressions with an exact description: it names only the printed files. */
const exact: readonly (readonly string[])[] = [
  [],
  ['.'],
  ['src', '.dot'],
  ['src/'],
  ['src//'],
  ['./src/../src'],
  ['--', 'src'],
  ['-P', 'to-folder'],
  ['-H', 'to-folder'],
  ['to-folder/'],
  ['-D', 'tree', '.', '-maxdepth', '0'],
  ['.', '-maxdepth', '1'],
  ['.', '-mindepth', '2', '-maxdepth', '2'],
  ['.', '-name', '*.ts'],
  ['.', '-iname', '*.TS'],
  ['.', '-name', '.*'],
  ['.', '-name', '.'],
  ['src/', '-name', 'src'],
  ['.', '-name', '*'],
  ['.', '-name', 'sp?ace'],
  ['.', '-name', 'new*line'],
  ['.', '-name', '\\[x\\]'],
  ['.', '-name', '[!-]'],
  ['.', '-path', './src/*'],
  ['.', '-path', '*/node_modules/*', '-o', '-name', 'a'],
  ['.', '-not', '-path', '*/node_modules/*'],
  ['.', '-type', 'f'],
  ['.', '-type', 'l'],
  ['.', '-type', 'f,d', '-name', 's*'],
  ['.', '!', '-type', 'd'],
  ['.', '-type', 'd', '-name', 'node_modules', '-prune', '-o', '-type', 'f', '-print'],
  ['.', '-path', './src', '-prune', '-o', '-print'],
  ['.', '(', '-name', 'a', '-o', '-name', 'b.ts', ')', '-a', '-path', '*src*'],
  ['.', '-name', 'src', '-prune', '-o', '-name', '*.ts'],
  ['.', '-depth', '-name', 'src', '-prune', '-o', '-name', '*.ts', '-print'],
  ['.', '-empty'],
  ['.', '-type', 'd', '-empty'],
  ['.', '-size', '0'],
  ['.', '-size', '+0', '-type', 'f'],
  ['.', '-size', '-2'],
  ['.', '-size', '7c'],
  ['.', '-newer', 'a'],
  ['.', '-false', '-o', '-true', '-name', 'a'],
  ['.', '-false', '-name', 'x', '-print', ',', '-name', 'b.ts', '-print'],
  ['missing', 'src'],
  ['.', '-not', '-not', '-name', 'a'],
  ['-', '.', '-name', '-n'],
  ['src', '-printf', '%p\\0'],
  ['src', '-printf', '%f\\0'],
  ['src', '-printf', '%h\\0'],
  ['src/', '-printf', '%P\\0'],
  ['/etc/hostname'],
  ['to-nothing', 'to-itself'],
];

describe('find', () => {
  it.each(exact)('prints exactly the described names: %j %j %j %j', (...args) => {
    const prints = args.some((arg) => arg.startsWith('-print'));
    const given = args.map((arg) => (arg === '-print' ? '-print0' : arg));
    const full = prints ? given : wrapped(given);
    expect(namesOf(find(words(...full), contextAt(folder)))).toEqual(real(full));
  });

  it('describes every printed name and every entered folder, for any expression', () => {
    const test = fc.constantFrom(
      ...`-name *|-name a|-name *.ts|-name s*|-name [a-c]*|-name ?|-name é*|-path ./src/*|-path */a|-path *x*
-type f|-type d|-type l|-empty|-prune|-print0|-quit|-perm 600|-mtime -1|-regex .*s|-size -3c|-newer a|-links 1
-user root|-depth|-xtype f|-maxdepth 1|-mindepth 1|-lname *s*|-true|-executable`
        .split(/[|\n]/)
        .map((each) => each.split(' ')),
    );
    const expression = fc.letrec<{ all: readonly string[]; one: readonly string[] }>((tie) => ({
      one: fc.oneof(
        { maxDepth: 3 },
        test,
        tie('all').map((inner) => ['(', ...inner, ')']),
        tie('one').map((inner) => ['!', ...inner]),
      ),
      all: fc
        .array(fc.tuple(tie('one'), fc.constantFrom([], ['-o'], ['-a'], [','])), {
          minLength: 1,
          maxLength: 3,
        })
        .map((parts) =>
          parts.flatMap(([one, operator], at) => (at < parts.length - 1 ? [...one, ...operator] : one)),
        ),
    })).all;
    const start = fc.constantFrom(
      [],
      ['.'],
      ['src'],
      ['.dot/'],
      ['-H', 'to-folder'],
      ['-L', 'empty'],
      ['src', '- x/'],
    );
    let counted = 0;
    fc.assert(
      fc.property(start, expression, (starts, given) => {
        const full = given.includes('-print0') ? [...starts, ...given] : [...starts, ...given, '-print0'];
        const printed = real(full);
        if (printed === null) return;
        counted += 1;
        const names = namesOf(find(words(...full), contextAt(folder)));
        expect(names).not.toBeNull();
        expect(printed.filter((name) => names?.includes(name) !== true)).toEqual([]);
      }),
      explore(300),
    );
    expect(counted).toBeGreaterThan(tries(150));
  });

  it('lists the folders that it enters', () => {
    const { effects } = describedOf(
      find(words('.', '-name', 'node_modules', '-prune', '-o', '-print'), contextAt(folder)),
    );
    const entered = execFileSync(
      'find',
      ['.', '-name', 'node_modules', '-prune', '-o', '-type', 'd', '-printf', '%p\\0'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    const expected = entered
      .split('\0')
      .slice(0, -1)
      .map((path) => `${folder}${path.slice(1)}`);
    expect(touched(effects, 'list').paths).toEqual(expected.sort());
  });

  it('deletes the matching files, and reads its words as find does', () => {
    for (const args of [
      ['.', '-name', '*.ts', '-delete'],
      ['--', '.', '-name', '*.ts', '-delete'],
    ]) {
      const { effects, output } = describedOf(find(words(...args), contextAt(folder)));
      const expected = real(['.', '-name', '*.ts', '-print0'])?.map((path) => folder + path.slice(1));
      expect(touched(effects, 'delete')).toEqual({ paths: expected, open: false, under: null });
      expect(output).toEqual({ kind: 'text', text: '' });
    }
  });

  it('has an open set when no file matches yet', () => {
    const deleted = describedOf(find(words('src', '-name', '*.nothing', '-delete'), contextAt(folder)));
    expect(touched(deleted.effects, 'delete')).toEqual({ paths: [], open: true, under: `${folder}/src` });
    const run = describedOf(
      find(words('src', '-name', '*.nothing', '-exec', 'rm', '{}', '+'), contextAt(folder)),
    );
    const names = { texts: [], open: true, under: 'src' };
    expect(run.effects.at(-1)).toEqual({
      kind: 'run',
      sharesInput: true,
      isRepeated: true,
      isAwaiting: true,
      words: [text('rm'), { kind: 'names', before: '', names, after: '', count: 'many', isSome: true }],
    });
    expect(namesOf(find(words('src', '-name', '*.nothing'), contextAt(folder)))).toEqual([]);
  });

  it('deletes a folder that becomes empty by the same command', () => {
    const inner = emptyFolder();
    mkdirSync(`${inner}/a/b`, { recursive: true });
    mkdirSync(`${inner}/c`);
    writeFileSync(`${inner}/c/file`, '');
    const { effects } = describedOf(find(words('.', '-type', 'd', '-empty', '-delete'), contextAt(inner)));
    expect(touched(effects, 'delete').paths).toEqual([`${inner}/a`, `${inner}/a/b`]);
    rmSync(inner, { recursive: true });
  });

  it('treats a folder as empty that an earlier command may have emptied', () => {
    const context = contextAt(folder, { removed: new Set([`${folder}/src/a`]) });
    expect(namesOf(find(words('.', '-empty'), context))).toContain('./src');
    expect(namesOf(find(words('.', '-empty'), contextAt(folder)))).not.toContain('./src');
  });

  it('names a file behind a link by both paths', () => {
    const { effects } = describedOf(
      find(words('to-folder/', '-name', 'b.ts', '-maxdepth', '1', '-delete'), contextAt(folder)),
    );
    expect(touched(effects, 'delete').paths).toEqual([`${folder}/src/b.ts`, `${folder}/to-folder/b.ts`]);
  });

  it('runs commands with the names that it finds', () => {
    const described = describedOf(
      find(
        words('src', '-maxdepth', '1', '-name', '*.ts', '-exec', 'cp', '{}', '{}.bak', ';'),
        contextAt(folder),
      ),
    );
    const names = { texts: ['src/b.ts'], open: false, under: null };
    expect(described.effects.filter(({ kind }) => kind === 'run')).toEqual([
      {
        kind: 'run',
        sharesInput: true,
        isRepeated: true,
        words: [
          text('cp'),
          { kind: 'names', before: '', names, after: '', count: 'one' },
          { kind: 'names', before: '', names, after: '.bak', count: 'one' },
        ],
      },
    ]);
    expect(described.output).toEqual({ kind: 'unknown' });
    const within = describedOf(
      find(words('src', '-maxdepth', '1', '-name', '*.ts', '-execdir', 'rm', '{}', '+'), contextAt(folder)),
    );
    expect(within.effects).toContainEqual({
      kind: 'run',
      sharesInput: true,
      isRepeated: true,
      words: [
        text('rm'),
        {
          kind: 'names',
          before: '',
          names: { ...names, texts: ['./b.ts'] },
          after: '',
          count: 'many',
          isSome: true,
        },
      ],
      folder: text(`${folder}/src`),
    });
  });

  it('writes the files that its words name', () => {
    const { effects } = describedOf(
      find(words('.', '-name', 'x', '-fprint', 'out', '-fls', 'b'), contextAt(folder)),
    );
    expect(effects.filter(({ kind }) => kind === 'path')).toEqual([
      { kind: 'path', access: 'write', word: text('out'), by: 'argument' },
      { kind: 'path', access: 'write', word: text('b'), by: 'argument' },
    ]);
  });

  it.each([
    ['.', '-unknown'],
    ['.', '-files0-from', 'x'],
    ['.', '-exec', 'rm', '{}'],
    ['.', '-maxdepth', 'x'],
    ['.', '(', '-name', 'x'],
    ['.', '-name', 'x', 'y'],
    ['.', '--', '-delete'],
    ['.', '-o'],
    ['.', '-name', 'x', ')'],
  ])('is opaque for words that it does not read: %j %j %j', (...args) => {
    expect(typeof find(words(...args), contextAt(folder))).toBe('string');
  });

  it('is opaque when an unknown word may begin its expression', () => {
    expect(typeof find([unknown('$x')], contextAt(folder))).toBe('string');
    expect(typeof find([text('.'), unknown('$x')], contextAt(folder))).toBe('string');
    expect(typeof find([text('.'), text('-name'), unknown('$x', { count: 'many' })], contextAt(folder))).toBe(
      'string',
    );
    const described = describedOf(
      find([unknown('src/$x', { start: 'src/' }), text('-delete')], contextAt(folder)),
    );
    expect(touched(described.effects, 'delete')).toEqual({ paths: [], open: true, under: null });
  });

  it('has an open set without a common folder if it follows links', () => {
    const { effects } = describedOf(find(words('-L', 'src', '-type', 'f', '-delete'), contextAt(folder)));
    expect(touched(effects, 'delete')).toMatchObject({ open: true, under: null });
    expect(touched(effects, 'list')).toMatchObject({ open: true, under: null });
  });

  it('counts what earlier commands created, changed or linked', () => {
    const created = contextAt(folder, { created: new Set([`${folder}/src/new/x.ts`]) });
    const names = namesOf(find(words('src', '-name', '*.ts', '-newer', 'a'), created));
    expect(names).toContain('src/new/x.ts');
    const open = contextAt(folder, { open: new Set([`${folder}/src/deep`]) });
    const { effects } = describedOf(find(words('src', '-type', 'f', '-delete'), open));
    expect(touched(effects, 'delete')).toMatchObject({ open: true, under: `${folder}/src` });
    const anyKind = describedOf(find(words('src', '-delete'), open));
    expect(touched(anyKind.effects, 'delete')).toMatchObject({ open: true, under: `${folder}/src` });
    const linked = contextAt(folder, { links: new Set([`${folder}/src`]) });
    const behind = describedOf(find(words('src/a', '-delete'), linked));
    expect(touched(behind.effects, 'delete')).toEqual({ paths: [], open: true, under: null });
  });

  it.each([
    [
      'git rewrote an index',
      { indexes: new Map([[`${folder}/index`, { added: null, heads: [], isChanged: true, isNew: false }]]) },
    ],
    ['a folder may have changed with a file', { created: new Set([`${folder}/other`]) }],
  ])('does not know which is newer where %s', (_, changes) => {
    const context = contextAt(folder, changes);
    expect(namesOf(find(words('src', '-newer', 'src', '-type', 'd'), contextAt(folder)))).not.toContain(
      'src',
    );
    expect(namesOf(find(words('src', '-newer', 'src', '-type', 'd'), context))).toContain('src');
  });

  it('names nothing that nothing reads', () => {
    const read = describedOf(find([], contextAt(folder)));
    const unread = describedOf(find([], { ...contextAt(folder), isRead: false }));
    expect(read.output.kind).not.toBe('unknown');
    expect(unread).toEqual({ ...read, output: { kind: 'unknown' } });
  });

  it('does not enter a circular link', () => {
    const inner = emptyFolder();
    symlinkSync('..', `${inner}/up`);
    expect(namesOf(find([], contextAt(inner)))).toEqual(['.', './up']);
    rmSync(inner, { recursive: true });
  });
});

/** Uses a custom action, so that each name ends with NUL. */
function wrapped(args: readonly string[]): readonly string[] {
  const first = args.findIndex(
    (arg, at) => /^(?:-[a-z]{2}|[!(])/.test(arg) && at > 0 && args[at - 1] !== '-D',
  );
  if (first === -1) return [...args, '-print0'];
  return [...args.slice(0, first), '(', ...args.slice(first), ')', '-print0'];
}
