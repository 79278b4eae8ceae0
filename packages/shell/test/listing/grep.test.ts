import { rmSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { text, unknown } from '../../src/word.js';
import { contextAt, emptyFolder, fillOddly, listed, namesOf, touched, words } from './context.js';
import { canTrace, opened } from './traced.js';

let folder = '';
beforeAll(() => {
  folder = emptyFolder();
  fillOddly(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const recursive: readonly (readonly string[])[] = [
  ['-r', 'needle'],
  ['-rn', 'needle', '.'],
  ['-r', 'needle', 'src', '.dot/'],
  ['-r', 'needle', 'to-folder'],
  ['-r', 'needle', 'a', 'to-file'],
  ['-rl', 'needle'],
  ['-rl', 'needle', 'src', 'a'],
  ['-rL', 'needle', 'src/'],
  ['-rlZ', 'needle', '.'],
  ['-r', '--include=*.ts', 'needle'],
  ['-r', '--include', '*.ts', '--include', '*.log', 'needle', '.'],
  ['-r', '--exclude=*.ts', 'needle'],
  ['-r', '--exclude=*', '--include=*.ts', 'needle'],
  ['-r', '--include=*.ts', '--exclude=b*', 'needle'],
  ['-r', '--exclude=b*', '--include=*.ts', 'needle'],
  ['-r', '--exclude=src/a', 'needle'],
  ['-r', '--exclude-dir=node_modules', 'needle', '.'],
  ['-r', '--exclude-dir=node_modules/', '--exclude-dir', '.*', 'needle', 'src'],
  ['-r', '--include=[ab]*', 'needle'],
  ['-r', '--include=.*', 'needle'],
  ['-d', 'recurse', 'needle', 'src'],
  ['--directories=recurse', 'needle', 'src'],
  ['-r', '-e', 'needle', 'src'],
  ['-ri', 'needle', '--', 'src'],
];

describe('grep', () => {
  it.skipIf(!canTrace).each(recursive)('reads the described files: %j %j %j %j %j', (...args) => {
    const { effects } = listed('grep', words(...args), contextAt(folder));
    const real = opened(['grep', ...args], folder);
    const read = touched(effects, 'read').paths;
    const unsaid = (paths: readonly string[], said: readonly string[]) =>
      paths.filter((path) => !said.includes(path));
    expect(unsaid(real.files, read)).toEqual([]);
    // The described path is the real path.
    expect(unsaid(read, real.files).filter((path) => !/\/to-f/.test(path))).toEqual([]);
    expect(unsaid(real.folders, touched(effects, 'list').paths)).toEqual([]);
    const isListing = args.some((arg) => /^-r?[lL]/.test(arg));
    if (!isListing) return;
    const lines = real.stdout.split(args.includes('-rlZ') ? '\0' : '\n').slice(0, -1);
    expect(
      unsaid(
        lines,
        namesOf({
          effects,
          output: listed('grep', words(...args), contextAt(folder)).output,
          leavesInput: true,
        }) ?? [],
      ),
    ).toEqual([]);
  });

  it('reads the files that it names', () => {
    const described = listed('grep', words('-n', 'x', 'a', '-', 'b.ts'), contextAt(folder));
    expect(described.effects).toEqual([
      { kind: 'path', access: 'read', word: text('a'), by: 'program', leavesBinary: 'of UTF-8' },
      { kind: 'path', access: 'read', word: text('b.ts'), by: 'program', leavesBinary: 'of UTF-8' },
    ]);
    expect([described.output.kind, described.leavesInput]).toEqual(['table', false]);
  });

  it('prints lines of its input', () => {
    const input = {
      kind: 'names',
      names: { texts: ['a', 'b'], open: false, under: null },
      separator: '\n',
    } as const;
    const context = { ...contextAt(folder), input };
    expect(listed('grep', words('-v', 'test'), context).output).toEqual(input);
    expect(listed('grep', words('-n', 'test'), context).output).toEqual({ kind: 'unknown' });
    expect(listed('grep', words('-z', 'test'), context).output).toEqual({ kind: 'unknown' });
    expect(listed('grep', words('-q', 'test'), context).output).toEqual({ kind: 'text', text: '' });
  });

  it('is open if it follows links or has unknown words', () => {
    const followed = listed('grep', words('-R', 'x', 'src'), contextAt(folder));
    expect(touched(followed.effects, 'read')).toMatchObject({ open: true, under: null });
    const unsure = listed('grep', [...words('-r', 'x'), unknown('$d/x', { start: 'x' })], contextAt(folder));
    expect(touched(unsure.effects, 'read')).toEqual({ paths: [], open: true, under: null });
    const inner = emptyFolder();
    expect(touched(listed('grep', words('-R', 'x'), contextAt(inner)).effects, 'read').open).toBe(false);
    symlinkSync('/etc', `${inner}/etc`);
    expect(touched(listed('grep', words('-R', 'x'), contextAt(inner)).effects, 'read').open).toBe(true);
    rmSync(inner, { recursive: true });
  });
});
