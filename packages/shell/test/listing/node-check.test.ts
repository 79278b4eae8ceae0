import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listers } from '../../src/listing/listers.js';
import { programs } from '../../src/programs/entry/table.js';
import { performBy } from '../../src/programs/perform.js';
import { namesWord, onlyNames, text, type Word } from '../../src/word.js';
import type { Changes, Described } from '../../src/world.js';
import { contextAt, emptyFolder, words } from './context.js';
import { canTrace, opened } from './traced.js';

const perform = performBy(programs, listers);
const folder = emptyFolder();
for (const [path, content] of [
  ['package.json', '{"type":"module"}'],
  ['a.js', 'import "./b.js"; const x = 1;'],
  ['b.js', 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "");'],
  ['c.cjs', 'require("fs").writeFileSync("ran", "")'],
  ['bad.js', 'const x = ;'],
  ['there.json', '{}'],
  ['sub/package.json', '{}'],
  ['sub/d.js', 'const y = 1;'],
  ['trap.js/package.json', '{"main":"../bad.js"}'],
] as const) {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
}
symlinkSync('sub/d.js', join(folder, 'link.js'));

function effects(line: string, changes: Partial<Changes> = {}): readonly string[] {
  return pathsOf(words(...line.split(' ')), changes);
}

function pathsOf(given: readonly Word[], changes: Partial<Changes> = {}): readonly string[] {
  const described: Described | null = perform('node', given, contextAt(folder, changes));
  return (described?.effects ?? []).map((effect) => {
    if (effect.kind !== 'path' || effect.word.kind !== 'text') return effect.kind;
    return `${effect.access} ${effect.word.text.replace(`${folder}/`, '')}`;
  });
}

describe('node --check', () => {
  it.each<[string, readonly string[]]>([
    ['--check a.js', ['read a.js', 'read package.json']],
    ['-c b.js more words', ['read b.js', 'read package.json']],
    ['-c c.cjs', ['read c.cjs']],
    ['--no-warnings -c bad.js', ['read bad.js', 'read package.json']],
    ['-c sub/d.js', ['read sub/d.js', 'read sub/package.json']],
    ['-c link.js', ['read link.js', 'read sub/package.json']],
    ['--check', []],
    ['-c -', []],
  ])('reads the file and its manifest for `node %s`', (line, expected) => {
    expect(effects(line)).toEqual(expected);
    if (canTrace)
      expect(opened(['node', ...line.split(' ')], folder).files).toEqual(
        expected.map((each) => realpathSync(join(folder, each.replace('read ', '')))),
      );
    expect(contextAt(folder).world.listing.kind(join(folder, 'ran'))).toBeNull();
  });

  it.each([
    '-c there',
    '-c trap.js',
    '-c missing.js',
    '-c .',
    '-r ./c.cjs -c a.js',
    '-c --test',
    '-c -e 1',
    '--env-file=x -c a.js',
  ])('is opaque for `node %s`', (line) => {
    expect(effects(line)).toContain('opaque');
  });

  it('is opaque for a file that an earlier command may have replaced', () => {
    const at = (...names: readonly string[]) => new Set(names.map((name) => join(folder, name)));
    expect(effects('-c a.js', { created: at('a.js'), removed: at('a.js') })).toEqual(['opaque']);
    expect(effects('-c a.js', { links: at('a.js') })).toEqual(['opaque']);
    expect(effects('-c sub/d.js', { open: at('sub') })).toEqual(['opaque']);
    for (const other of ['new.js.json', 'new.js/index.js'])
      expect(effects('-c new.js', { created: at('new.js', other) })).toEqual(['opaque']);
    expect(effects('-c there', { created: at('there') })).toEqual(['opaque']);
    expect(effects('-c sub/d.js', { removed: at('sub/package.json') })).toEqual([
      'read sub/d.js',
      'read sub/package.json',
      'read package.json',
    ]);
  });

  it('reads a file that an earlier command wrote', () => {
    for (const name of ['a.js', 'new.js'])
      expect(effects(`-c ${name}`, { created: new Set([join(folder, name)]) })).toEqual([
        `read ${name}`,
        'read package.json',
      ]);
  });

  it('reads each of several files', () => {
    const read = (count: 'one' | 'many', ...names: readonly string[]) =>
      pathsOf([text('-c'), namesWord(onlyNames(names), count)]);
    expect(read('one', 'a.js', 'c.cjs')).toEqual(['read a.js', 'read package.json', 'read c.cjs']);
    expect(read('many', 'b.js')).toEqual(['read b.js', 'read package.json']);
    expect(read('one', 'a.js', 'there')).toEqual(['opaque']);
    expect(pathsOf([text('-c'), namesWord({ texts: [], open: true, under: folder })])).toEqual(['opaque']);
  });
});
