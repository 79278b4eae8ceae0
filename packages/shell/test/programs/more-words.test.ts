import { describe, expect, test } from 'vitest';
import type { RunEffect } from '../../src/effect.js';
import { moreWords } from '../../src/facts/more-words.js';
import { text } from '../../src/word.js';

const input = { kind: 'text', text: 'a b\nc d\n' } as const;
const run: RunEffect = { kind: 'run', words: [text('cp')], more: 'blanks' };

describe('words from the standard input', () => {
  test('become words of one command if all of them fit', () => {
    expect(moreWords(run, input)).toStrictEqual(['cp', 'a', 'b', 'c', 'd'].map(text));
  });

  test('become an unknown number of words if they are split over several runs; the last word is unknown', () => {
    const names = { texts: ['a', 'b', 'c', 'd'], open: false, under: null };
    const many = { kind: 'names', before: '', names, after: '', count: 'many' };
    expect(moreWords({ ...run, isSplit: true }, input)).toStrictEqual([text('cp'), many]);
    const long = { kind: 'text', text: 'word '.repeat(10_000) } as const;
    expect(moreWords(run, long)).toHaveLength(2);
  });
});
