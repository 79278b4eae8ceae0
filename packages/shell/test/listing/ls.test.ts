import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unknown } from '../../src/word.js';
import { contextAt, emptyFolder, fillOddly, listed, namesOf, touched, words } from './context.js';
import { canTrace, isThere, opened } from './traced.js';

let folder = '';
beforeAll(() => {
  folder = emptyFolder();
  fillOddly(folder, 1);
});
afterAll(() => rmSync(folder, { recursive: true }));

const printing: readonly (readonly string[])[] = [
  [],
  ['src'],
  ['-1', 'src/'],
  ['-a'],
  ['-A', '.dot'],
  ['-d', 'src', 'a'],
  ['-R'],
  ['-aR', 'src'],
  ['-1tr', 'src', '.dot'],
  ['a', 'b.ts', 'src'],
  ['-f', 'src'],
  ['-I', '*.ts'],
  ['--', '-n'],
  ['missing', 'src'],
];

describe('ls', () => {
  it.each(printing)('prints the described names: %j %j %j', (...args) => {
    const { stdout } = spawnSync('ls', args, { cwd: folder, encoding: 'utf8' });
    const lines = [...new Set(stdout.split('\n').slice(0, -1))];
    const names = namesOf(listed('ls', words(...args), contextAt(folder)));
    expect(lines.filter((line) => names?.includes(line) !== true)).toEqual([]);
  });

  it('prints exactly the names in a folder', () => {
    const { stdout } = spawnSync('ls', ['-A', 'src'], { cwd: folder, encoding: 'utf8' });
    expect(namesOf(listed('ls', words('-A', 'src'), contextAt(folder)))).toEqual(
      stdout.split('\n').slice(0, -1).sort(),
    );
  });

  it('prints unknown text with other options', () => {
    for (const args of [['-l'], ['-p'], ['-s'], ['-m'], ['--color=always'], ['-q']])
      expect([args, namesOf(listed('ls', words(...args), contextAt(folder)))]).toEqual([args, null]);
  });

  it
    .skipIf(!canTrace)
    .each([
      ['ls'],
      ['ls', '-R'],
      ['ls', '-aR', 'src'],
      ['ls', '-l', '.dot', 'to-folder'],
      ['ls', '-d', 'src'],
      ['du'],
      ['du', '-s', 'src', 'to-folder'],
      ['du', '-D', 'to-folder'],
      ['tree'],
      ['tree', '-a', '-L', '1'],
      ['tree', '-d', 'src', 'to-folder'],
    ])('lists the described folders: %j %j %j', (program, ...args) => {
    if (!isThere(program)) return;
    const { effects } = listed(program, words(...args), contextAt(folder));
    const said = touched(effects, 'list').paths;
    const { folders } = opened([program, ...args], folder);
    expect(folders.filter((path) => !said.includes(path))).toEqual([]);
    const more = said.filter((path) => !folders.includes(path) && !/\/to-folder/.test(path));
    expect(program === 'ls' && /-[dl]/.test(args[0] ?? '') ? [] : more).toEqual([]);
  });

  it('lists named files, existing or missing', () => {
    const { effects } = listed('ls', words('-l', 'a', 'missing', 'to-file'), contextAt(folder));
    const paths = ['a', 'b.ts', 'missing', 'to-file'].map((name) => `${folder}/${name}`);
    expect(touched(effects, 'list').paths).toEqual(paths);
  });

  it('is open for unknown words and when it follows links', () => {
    const unsure = listed('ls', [unknown('d$x', { start: 'd' })], contextAt(folder));
    expect(touched(unsure.effects, 'list')).toEqual({ paths: [], open: true, under: null });
    expect(touched(listed('ls', words('-L'), contextAt(folder)).effects, 'list')).toMatchObject({
      open: true,
      under: null,
    });
  });
});
