import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageCharacters, pageOf, textOf } from '../../src/filesystem/contained/text.js';

describe('textOf', () => {
  it('is the exact text, with byte order mark and line ends, or null if it is not text', () => {
    expect(textOf(Buffer.from('\ufeffa\r\nb\r'))).toBe('\ufeffa\r\nb\r');
    expect(textOf(Buffer.from([0xff, 0xfe, 0x61]))).toBe(null);
    expect(textOf(Buffer.from([0xed, 0xa0, 0x80]))).toBe(null);
    expect(textOf(Buffer.from('a\0'))).toBe(null);
  });
});

describe('pageOf', () => {
  it('is empty for an empty text, or after its end', () => {
    const whole = { from: 1, lines: 10, column: 1 };
    expect(pageOf('', whole)).toEqual({ text: '', from: 1, to: 0, total_lines: 0, rest: null });
    expect(pageOf('a\n', { ...whole, from: 2 })).toEqual({
      text: '',
      from: 2,
      to: 1,
      total_lines: 1,
      rest: null,
    });
  });

  it('cuts a long line between characters, and tells where to continue', () => {
    const line = `${'x'.repeat(pageCharacters - 1)}😀!`;
    const first = pageOf(`a\n${line}\nb`, { from: 2, lines: 10, column: 1 });
    expect(first).toEqual({
      text: 'x'.repeat(pageCharacters - 1),
      from: 2,
      to: 2,
      total_lines: 3,
      rest: `line 2 goes on: call again with from 2 and column ${pageCharacters}`,
    });
    expect(pageOf(`a\n${line}\nb`, { from: 2, lines: 10, column: pageCharacters }).text).toBe('😀!\nb');
  });

  it('returns every character once to a reader that follows its offsets', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.integer({ min: 1, max: 250_000 }).map((length) => '😀'.repeat(length / 2)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (lines, most) => {
        const text = lines.join('\n');
        let given = '';
        let next: readonly number[] | null = [1, 1];
        while (next !== null) {
          const [from = 1, column = 1]: readonly number[] = next;
          const page = pageOf(text, { from, lines: most, column });
          given += page.text;
          next =
            page.rest === null
              ? null
              : (/call again with from (\d+)(?: and column (\d+))?$/.exec(page.rest) ?? [])
                  .slice(1)
                  .map((part) => Number(part ?? 1));
        }
        expect(given).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});
