import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { columnsOfMatch, type Match } from '../../src/listing/match-columns.js';
import type { Syntax } from '../../src/listing/match-pattern.js';

const options: Readonly<Record<Syntax, string>> = { basic: '-G', extended: '-E', perl: '-P', fixed: '-F' };

const plain = (count: number) => ({
  columns: Array.from({ length: count }, () => 'plain' as const),
  separator: ' ',
  isWhole: true as const,
  last: 'plain' as const,
});
const text: Match = { columns: ['text'], separator: ' ', isWhole: true };

describe('columnsOfMatch', () => {
  it.each<[Syntax, string, Match | null]>([
    ['extended', 'export (function|interface|const) \\w+', plain(3)],
    ['extended', '^[A-Z_]+', plain(1)],
    ['basic', 'use[A-Z][A-Za-z]*', plain(1)],
    ['basic', '\\(const\\|let\\) [a-z]\\+', plain(2)],
    ['perl', "from '\\K[\\w./-]+(?=')", text],
    ['perl', 'class \\K\\w+', plain(1)],
    ['perl', '(?<=class )\\w+?\\b', plain(1)],
    ['extended', 'process\\.env\\.[A-Z_]+', plain(1)],
    ['extended', '^ *const [a-zA-Z0-9_]+', { ...plain(2), separator: null, isIndented: true }],
    ['extended', 'v[0-9]+ +- x', { ...plain(3), columns: ['plain', 'text', 'plain'], separator: null }],
    ['extended', 'import .*', { columns: ['plain'], separator: ' ' }],
    ['extended', 'a( b)?', null],
    ['extended', 'a b? c', { columns: ['plain'], separator: ' ', last: 'plain' }],
    ['extended', 'x|export y', { columns: ['plain'], separator: ' ', last: 'plain' }],
    ['extended', 'export (async )?(let|var) [a-z]+', { columns: ['plain'], separator: ' ', last: 'plain' }],
    ['extended', 'a( b)?c', null],
    ['extended', '.*class \\w+', { columns: [], separator: ' ', last: 'plain', isIndented: true }],
    ['basic', '[a ] a', { columns: [], separator: ' ', last: 'plain', isIndented: true }],
    ['extended', '(a| ) a', { columns: [], separator: ' ', last: 'plain', isIndented: true }],
    ['extended', '.*\\w+', null],
    ['extended', 'a|-b', text],
    ['extended', '-?[0-9]+', text],
    ['extended', '[a-z-]+', text],
    ['extended', '[a-z][a-z-]+', plain(1)],
    ['extended', '"[a-z]+"', text],
    ['extended', '[^"]+', null],
    ['extended', '[A-z]+', null],
    ['extended', 'a\\sb', null],
    ['extended', 'a[--z]', null],
    ['extended', 'a[#--]+', null],
    ['extended', '\\` b', { ...plain(1), separator: null, isIndented: true }],
    ['basic', "a\\' b", plain(2)],
    ['extended', 'a*', null],
    ['basic', '\\(\\) a', { columns: [], separator: ' ', last: 'plain', isIndented: true }],
    ['extended', '(a)\\1', null],
    ['perl', '(?i)a', null],
    ['fixed', 'a b', plain(2)],
    ['fixed', 'a+', { ...plain(1), columns: ['plain'] }],
    ['basic', 'a\nb', null],
  ])('knows the columns that grep -o prints for a pattern: %s %j', (syntax, pattern, expected) => {
    expect(columnsOfMatch(pattern, syntax)).toEqual(expected);
  });

  it('agrees with grep -o for any pattern', () => {
    const usual = fc.constantFrom(...'a b [ab] \\w + (a|b) (b|a-)'.split(' '), ' ', ' ');
    const odd = fc.constantFrom(
      ...String.raw`- . \. * + ? | ( ) \( \) \| \+ \? {2} {0,1} \{2\} [a-] [^a] [-a] [a-b] [] \K \b ^ $ (?= (?: \s \< " / \- [[:alpha:]]`
        .split(' ')
        .concat('  ', '[ ]', '[a ]'),
    );
    const part = fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: odd });
    const text = fc.constantFrom(
      'a',
      'b',
      '-',
      ' ',
      '  ',
      '\t',
      '.',
      '"',
      '/',
      '+',
      '\n',
      '(',
      'é',
      '{',
      '^',
    );
    const of = (each: fc.Arbitrary<string>, maxLength: number) =>
      fc.array(each, { minLength: 1, maxLength }).map((parts) => parts.join(''));
    const syntax = fc.constantFrom<Syntax>('basic', 'extended', 'perl', 'fixed');
    let known = 0;
    fc.assert(
      fc.property(syntax, of(part, 7), of(text, 60), (kind, pattern, input) => {
        const found = columnsOfMatch(pattern, kind);
        if (found === null) return;
        const { stdout } = spawnSync('grep', ['-o', options[kind], '-e', pattern], {
          input,
          encoding: 'utf8',
        });
        for (const line of stdout.split('\n').slice(0, -1)) known += check(line, found);
      }),
      explore(4_000),
    );
    expect(known).toBeGreaterThan(5);
  });
});

const word = /^[\p{L}\d_.][^\s*?[\\"']*$/u;

/** Returns how many columns were compared. */
function check(line: string, { columns, separator, isWhole, last, isIndented }: Match): number {
  if (isIndented !== true) expect(line).not.toMatch(/^\s/);
  const fields = separator === null ? line.trim().split(/ +/) : line.split(separator);
  for (const [at, column] of columns.entries()) if (column === 'plain') expect(fields[at]).toMatch(word);
  if (isWhole) expect(fields.length).toBe(columns.length);
  if (last === 'plain')
    expect(
      line
        .trim()
        .split(/[ \t]+/)
        .at(-1),
    ).toMatch(word);
  return columns.length + (last === undefined ? 0 : 1);
}
