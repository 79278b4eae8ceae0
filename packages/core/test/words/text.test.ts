import { describe, expect, it } from 'vitest';
import { shortened } from '../../src/words/text.js';

describe('shortened', () => {
  it.each([
    ['a text that fits', 'abc', 'abc'],
    ['a longer text', 'abcd', 'abc…'],
    ['a text with half a character at the cut', 'ab\u{1f600}c', 'ab…'],
    ['a text with a whole character before the cut', 'a\u{1f600}c', 'a\u{1f600}…'],
  ])('keeps whole characters of %s', (_, text, short) => {
    expect(shortened(text, 3)).toBe(short);
  });

  it('ends with the mark that is given', () => {
    expect(shortened('abcd', 3, ' and more')).toBe('abc and more');
  });
});
