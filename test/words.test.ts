import { describe, expect, it } from 'vitest';
import { problemsOf } from '../scripts/words.mjs';

describe('words', () => {
  it('finds a banned phrase with its line, also across comment lines', () => {
    expect(problemsOf('a.ts', 'const a = 1;\n// Tests of which any\n// will do\n')).toEqual([
      'a.ts:2 `of which any // will do`: write any of',
    ]);
  });

  it('accepts `there is no` and `is no longer`', () => {
    expect(problemsOf('a.ts', '// There is no file. It is no longer open.')).toEqual([]);
  });

  it('finds a long line of a page, but not in code, a table or an address', () => {
    const long = 'word '.repeat(25);
    expect(
      problemsOf('a.md', `${long}\n| ${long}\n\`\`\`\n${long}\n\`\`\`\nhttps://${'a'.repeat(120)}\n`),
    ).toEqual(['a.md:1 the line has 125 characters']);
    expect(problemsOf('a.ts', long)).toEqual([]);
  });
});
