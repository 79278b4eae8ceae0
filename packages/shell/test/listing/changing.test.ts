import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namesWord, text, unknown, type Word } from '../../src/word.js';
import { contextAt, emptyFolder, fillOddly, listed, touched, words } from './context.js';
import { canTrace, opened } from './traced.js';

let folder = '';
beforeEach(() => {
  folder = emptyFolder();
  fillOddly(folder, 1);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Everything below a folder; links are not followed. */
function all(at = folder): readonly string[] {
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
    const path = join(at, entry.name);
    return entry.isDirectory() ? [path, ...all(path)] : [path];
  });
}

/** The path with its folder resolved. */
function real(path: string): string {
  const above = dirname(path);
  return join(existsSync(above) ? realpathSync(above) : above, basename(path));
}

/** The files that effects write or delete, single files included. */
function said(effects: Parameters<typeof touched>[0], access: 'write' | 'delete'): readonly string[] {
  const single = effects.flatMap((effect) =>
    effect.kind === 'path' && effect.access === access && effect.word.kind === 'text'
      ? [effect.word.text]
      : [],
  );
  return [...touched(effects, access).paths, ...single.map((path) => resolve(folder, path))];
}

const changing: readonly (readonly string[])[] = [
  ['rm', '-r', 'src'],
  ['rm', '-rf', 'src/', '.dot', 'missing', 'a'],
  ['rm', '-r', 'to-folder'],
  ['rm', 'a', 'to-file'],
  ['cp', 'a', 'new'],
  ['cp', 'a', 'b.ts', 'src'],
  ['cp', 'to-file', 'new'],
  ['cp', '-r', 'src', 'new'],
  ['cp', '-r', 'src', 'empty'],
  ['cp', '-r', 'src/', 'empty/'],
  ['cp', '-r', 'src/.', 'empty'],
  ['cp', '-r', 'src/.', 'new'],
  ['cp', '-rT', 'src', 'empty'],
  ['cp', '-a', 'src', 'a', 'empty'],
  ['cp', '-r', '-t', 'empty', 'src', 'a'],
  ['cp', '-r', 'src', 'to-folder'],
  ['cp', '-r', './src', '.dot'],
  ['mv', 'src', 'new'],
  ['mv', 'src', 'empty'],
  ['mv', 'a', 'b.ts', 'empty'],
  ['mv', '-T', 'a', 'b.ts'],
  ['mv', '-t', 'empty', 'src', 'a'],
  ['mv', 'to-folder', 'new'],
  ['mv', 'a', 'empty/', '--'],
];

describe('cp, mv and rm', () => {
  it.each(changing)('changes only the described files: %j %j %j %j %j', (program, ...args) => {
    const { effects } = listed(program, words(...args), contextAt(folder));
    const before = all();
    const { status } = spawnSync(program, args, { cwd: folder });
    const after = all();
    const gone = before.filter((path) => !after.includes(path));
    const made = after.filter((path) => !before.includes(path));
    expect(gone.filter((path) => !said(effects, 'delete').includes(path))).toEqual([]);
    expect(made.filter((path) => !said(effects, 'write').includes(path))).toEqual([]);
    if (status === 0 && program !== 'rm') {
      // Every file that is described as written exists.
      expect(said(effects, 'write').filter((path) => !existsSync(path) && !isLink(path))).toEqual([]);
    }
  });

  it.each([
    ['-s', 'a', 'new'],
    ['-s', '../a', 'src/new'],
    ['-sf', '../a', 'src'],
    ['-sf', '../a', '../b.ts', 'src'],
    ['-s', '../src/a', 'empty/'],
    ['-sf', 'src/c.log', '.'],
    ['-sf', '../b.ts', 'to-folder'],
    ['-sfn', 'src/a', 'to-folder'],
    ['-sf', 'b.ts', 'a'],
    ['-s', '-t', 'empty', '../a'],
    ['-s', '../outside'],
    ['-s', '/etc/hostname'],
    ['-sr', 'a', 'src/new'],
    ['a', 'src/new'],
  ])('names what a link is made of, and where it leads: ln %j %j %j %j', (...args) => {
    const { effects } = listed('ln', words(...args), contextAt(folder));
    const before = new Map(all().map((path) => [path, lstatSync(path).ino]));
    expect(spawnSync('ln', args, { cwd: folder }).status).toBe(0);
    const made = all().filter((path) => before.get(path) !== lstatSync(path).ino);
    expect(made).not.toEqual([]);
    for (const path of made) {
      const led = isLink(path) ? resolve(realpathSync(dirname(path)), readlinkSync(path)) : join(folder, 'a');
      for (const place of [path, led])
        expect(said(effects, 'write').map((each) => real(each))).toContain(real(place));
    }
  });

  it('writes through links in the target', () => {
    mkdirSync(join(folder, 'd/src'), { recursive: true });
    symlinkSync('../../outer', join(folder, 'd/src/a'));
    writeFileSync(join(folder, 'outer'), '');
    const { effects } = listed('cp', words('-r', 'src', 'd'), contextAt(folder));
    expect(touched(effects, 'write').paths).toContain(join(folder, 'outer'));
  });

  it('reports whether the written file may be a link', () => {
    const linked = listed('cp', words('-r', 'src', 'new'), contextAt(folder));
    expect(linked.effects.at(-1)).toMatchObject({ kind: 'files', access: 'write', mayLink: true });
    mkdirSync(join(folder, 'plain'));
    writeFileSync(join(folder, 'plain/x'), '');
    const plain = listed('cp', words('-r', 'plain', 'new'), contextAt(folder));
    expect(plain.effects.at(-1)).toMatchObject({ kind: 'files', access: 'write', mayLink: false });
  });

  it('deletes the file that a device or a pipe replaces', () => {
    for (const args of [
      ['cp', '-a', '/dev/null', 'a'],
      ['cp', '-r', '/dev/null', 'a'],
      ['mv', '/dev/null', 'a'],
    ]) {
      const [program = '', ...rest] = args;
      expect(said(listed(program, words(...rest), contextAt(folder)).effects, 'delete')).toContain(
        `${folder}/a`,
      );
    }
    const plain = listed('cp', words('/dev/null', 'a'), contextAt(folder));
    expect(said(plain.effects, 'delete')).toEqual([]);
  });

  it('gives an open set for unknown words', () => {
    const context = contextAt(folder);
    const source = listed('cp', [unknown('d$x', { start: 'd' }), text('empty')], context);
    expect(touched(source.effects, 'write')).toEqual({ paths: [], open: true, under: `${folder}/empty` });
    const linked = listed('cp', [unknown('d$x', { start: 'd' }), text('src')], context);
    expect(touched(linked.effects, 'write')).toEqual({ paths: [], open: true, under: null });
    const target = listed('mv', [text('a'), unknown('d$x', { start: 'd' })], context);
    expect(touched(target.effects, 'write')).toMatchObject({ open: true, under: null });
    const removed = listed('rm', [text('-r'), unknown('d$x', { start: 'd' })], context);
    expect(touched(removed.effects, 'delete')).toEqual({ paths: [], open: true, under: null });
  });

  it('accounts for files that earlier commands removed', () => {
    const context = contextAt(folder, { removed: new Set([`${folder}/empty`, `${folder}/to-folder`]) });
    const copied = listed('cp', words('a', 'empty'), context);
    expect(said(copied.effects, 'write')).toEqual([`${folder}/empty`, `${folder}/empty/a`]);
    expect(touched(listed('rm', words('-r', 'to-folder/'), context).effects, 'delete').open).toBe(true);
  });

  it('accounts for files that earlier commands created', () => {
    const context = contextAt(folder, { created: new Set([`${folder}/new`, `${folder}/src/made`]) });
    const copied = listed('cp', words('-r', 'empty', 'new'), context);
    expect(touched(copied.effects, 'write').paths).toEqual([`${folder}/new`, `${folder}/new/empty`]);
    expect(touched(listed('rm', words('-r', 'src'), context).effects, 'delete').paths).toContain(
      `${folder}/src/made`,
    );
    const open = contextAt(folder, { open: new Set(['/']) });
    expect(touched(listed('rm', words('-r', 'src'), open).effects, 'delete')).toMatchObject({
      open: true,
      under: `${folder}/src`,
    });
  });

  it.each([
    ['cp', 'a', 'new'],
    ['cp', '-r', 'src', 'new'],
    ['mv', 'a', 'new'],
    ['ln', '-s', '/x/new'],
  ])('counts words of a listing as none, too: %s %s %s', (name, ...args) => {
    const none = namesWord({ texts: [], open: false, under: null }, 'many');
    const { effects } = listed(name, [none, ...words(...args)], contextAt(folder));
    expect(spawnSync(name, args, { cwd: folder }).status).toBe(0);
    expect(said(effects, 'write')).toContain(join(folder, 'new'));
  });

  it.each([['cp'], ['cp', '-a'], ['mv'], ['ln', '-s']])(
    'names what each target gets: %s %s',
    (name, ...options) => {
      const context = contextAt(folder);
      const targets = ['new', 'src', 'to-folder', 'to-file'];
      const to = (word: Word) => listed(name, [...words(...options, 'a'), word], context).effects;
      const all = namesWord({ texts: targets, open: false, under: null });
      expect(to(all)).toEqual(targets.flatMap((target) => to(text(target))));
      expect(touched(to(namesWord({ texts: targets, open: true, under: 'src' })), 'write').open).toBe(true);
      const many = namesWord({
        texts: Array.from({ length: 101 }, (_, at) => `n${at}`),
        open: false,
        under: null,
      });
      expect(touched(to(many), 'write').open).toBe(true);
    },
  );
});

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

describe('tar', () => {
  it.skipIf(!canTrace).each([
    ['cf', '../out.tar', '.'],
    ['-czf', '../out.tgz', 'src', '.dot/', 'a'],
    ['-c', '-f', '../out.tar', '--exclude=*.ts', '--exclude=node_modules', '.'],
    ['-cf', '../out.tar', '.', '--exclude=*.ts'],
    ['-cf', '../out.tar', 'a', '--exclude=*.ts', 'src', '--no-recursion'],
    ['-cf', '../out.tar', '--no-recursion', 'a', '--recursion', 'src'],
    ['-cf', '../out.tar', '-C', 'src', '.'],
    ['-cf', '../out.tar', '-C', 'src', 'a', '-C', '../.dot', 'b.ts'],
    ['-cf', '../out.tar', 'to-folder', 'to-file'],
  ])('packs only described files: %j %j %j %j', (...args) => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    fillOddly(inner, 1);
    const { effects } = listed('tar', words(...args), contextAt(inner));
    const { files, folders } = opened(['tar', ...args], inner);
    const read = touched(effects, 'read').paths;
    expect(files.filter((path) => !read.includes(path))).toEqual([]);
    const unsaid = folders.filter((path) => !touched(effects, 'list').paths.includes(path));
    // Folders that -C enters are opened and not listed.
    expect(args.includes('-C') ? [] : unsaid).toEqual([]);
    // Empty files are not opened, and links are only read as links.
    const more = read.filter((path) => !files.includes(path) && !isLink(path) && lstatSync(path).size > 0);
    expect(more).toEqual([]);
  });

  it('packs nothing when it unpacks', () => {
    cpSync(join(folder, 'a'), join(folder, 'x.tar'));
    for (const args of [
      ['xf', 'x.tar', 'src'],
      ['-tf', 'x.tar'],
    ])
      expect(listed('tar', words(...args), contextAt(folder)).effects).toEqual([]);
  });
});
