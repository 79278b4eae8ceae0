import { describe, expect, test } from 'vitest';
import { problemsOf } from '../src/shell/programs/check.js';
import { programs } from '../src/shell/programs/table/index.js';

describe('the table of programs', () => {
  test('has no entry that is written wrong, twice, or about an option that is not there', () => {
    expect(problemsOf(programs)).toStrictEqual([]);
  });

  test('is data', () => {
    expect(JSON.parse(JSON.stringify(programs))).toStrictEqual(programs);
  });
});

describe('problemsOf', () => {
  test('says where a table is wrong, all of it at once', () => {
    const table = {
      a: { flags: '-v  -q' },
      b: { options: { '-o': 'wirte' }, operands: ['...read if -x'] },
      c: { commands: { d: { does: ['write/** {-o}'] }, 'd|e': {} } },
      f: { like: 'nothing' },
      g: { colour: 'red' },
      h: { flags: '-v', values: '-v' },
    };
    expect(problemsOf(table)).toStrictEqual([
      'a.flags: names with one space between them',
      'b: `wirte` is not what a word can be',
      'b: a condition names `-x`, which is no option here',
      'c.commands.d.does: `-o` is no option here',
      'c.commands.d|e: `d` is there twice',
      'f: like `nothing`, which the table does not know',
      'g: Unrecognized key: "colour"',
      'h: the option `-v` is there twice',
    ]);
  });

  test.each([null, 1, 'x', [[]]])('refuses %j', (table) => {
    expect(problemsOf(table)).toStrictEqual(['not an object of programs']);
  });

  test('lets a table add to the programs that are known', () => {
    expect(problemsOf({ mycat: { like: 'cat', flags: '-Q' } }, programs)).toStrictEqual([]);
  });
});
