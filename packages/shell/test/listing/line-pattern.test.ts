import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import type { Output } from '../../src/word.js';
import { contextAt, listed, namesOf, words } from './context.js';

const lines = [
  'src/a.ts',
  'src/a.tsx',
  'src/ats',
  'src/a.test.ts',
  '.env',
  '.env.example',
  'README.md',
  'readme',
  'node_modules/a/b.js',
  'a b.ts',
  '-v',
  'a+b',
  'a.b(c)',
  '[x]{2}',
  'x|y',
  'C:\\a',
  '^$',
  'aaa0',
  'é.ts',
  'tab\t.ts',
  'dist',
  '',
];

/** What `… | grep ARGS` may print of the lines. */
const kept = (...args: readonly string[]) => keptBy('grep', ...args);

function keptBy(program: string, ...args: readonly string[]): readonly string[] | null {
  const input: Output = { kind: 'names', names: { texts: lines, open: false, under: null }, separator: '\n' };
  return namesOf(listed(program, words(...args), { ...contextAt('/'), input }));
}

function printed(...args: readonly string[]): readonly string[] {
  const { stdout } = spawnSync('grep', args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  return stdout.split('\n').slice(0, -1);
}

describe('a grep that chooses from known lines', () => {
  it.each([
    [['\\.ts$'], ['src/a.ts', 'src/a.test.ts', 'a b.ts', 'é.ts', 'tab\t.ts']],
    [['-v', 'env'], lines.filter((line) => !line.includes('env'))],
    [
      ['-E', '\\.(ts|tsx)$'],
      ['src/a.ts', 'src/a.tsx', 'src/a.test.ts', 'a b.ts', 'é.ts', 'tab\t.ts'],
    ],
    [['\\.tsx\\?$'], ['src/a.ts', 'src/a.tsx', 'src/a.test.ts', 'a b.ts', 'é.ts', 'tab\t.ts']],
    [
      ['-i', 'readme'],
      ['README.md', 'readme', 'é.ts', 'tab\t.ts'],
    ],
    [
      ['-i', 'DIST'],
      ['dist', 'é.ts', 'tab\t.ts'],
    ],
    // In Turkish, `I` and `i` are two letters.
    [['-vi', 'DIST'], lines],
    [['-vi', '^DI\\|dist$'], lines.filter((line) => line !== 'dist')],
    [
      ['-F', 'a.b('],
      ['a.b(c)', 'é.ts', 'tab\t.ts'],
    ],
    [['-vE', '^$|node_modules|\\.md$'], lines.filter((line) => !/^$|node_modules|\.md$/.test(line))],
    [
      ['-e', '^src/.*[.]ts'],
      ['src/a.ts', 'src/a.tsx', 'src/a.test.ts', 'é.ts', 'tab\t.ts'],
    ],
  ])('prints those that match: %j', (args, expected) => {
    expect(kept(...args)).toEqual([...expected].sort());
  });

  it.each([
    ['egrep', ['\\.(ts|md)$'], ['README.md', 'src/a.ts', 'src/a.test.ts', 'a b.ts', 'é.ts', 'tab\t.ts']],
    ['egrep', ['-v', 's|e|^$'], lines.filter((line) => !/[se]|^$/.test(line) || /é|\t/.test(line))],
    ['fgrep', ['x|y'], ['x|y', 'é.ts', 'tab\t.ts']],
    ['fgrep', ['-v', '.'], lines.filter((line) => !line.includes('.') || /é|\t/.test(line))],
  ])('reads the pattern as %s does: %j', (program, args, expected) => {
    expect(keptBy(program, ...args)).toEqual([...expected].sort());
  });

  it.each([
    ['[a-z]'],
    ['[[:alpha:]]'],
    ['-E', 'a{2}'],
    ['-E', '(a+)+$'],
    ['*a'],
    ['a**'],
    ['a^b'],
    ['\\w'],
    ['\\bts'],
    ['-w', 'ts'],
    ['-E', 'a|'],
    ['a\nb'],
    ['-f', 'patterns'],
    ['-e', 'a', '-e', 'b'],
    ['-F', '-E', 'a|b'],
  ])('may print each where the pattern is not understood: %j', (...args) => {
    expect(kept(...args) ?? lines).toEqual(expect.arrayContaining(['.env', 'src/a.ts', '']));
  });

  it('leaves out nothing that grep prints, for any pattern', () => {
    const part = fc.constantFrom(
      ...String.raw`a b t s . \. * ^ $ ( ) \( \) | \| + \+ ? \? { } {2} \{ [ab] [^/] [0-9] [a-c] [.] []a] [ ] \\ \/ - \w`
        .split(' ')
        .concat(' '),
    );
    const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    const option = fc.subarray(['-E', '-F', '-v', '-i']);
    fc.assert(
      fc.property(option, pattern, (options, text) => {
        const args = [...options, '-e', text];
        const may = kept(...args);
        if (may !== null) expect(may).toEqual(expect.arrayContaining([...printed(...args)]));
      }),
      explore(2_000),
    );
  });
});
