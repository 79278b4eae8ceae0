import { describe, expect, it } from 'vitest';
import { messageOf, shortened, systemWords } from '../../src/words/text.js';

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

describe('messageOf', () => {
  const failed = (cause: unknown) => new TypeError('fetch failed', { cause });
  const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });

  it.each([
    ['an error', new Error('no room'), 'no room'],
    ['a text', 'no room', 'no room'],
    ['a failed connection', failed(new Error('connect ECONNREFUSED')), 'fetch failed: connect ECONNREFUSED'],
    ['a failed connection to several addresses', failed(refused), 'fetch failed: ECONNREFUSED'],
    ['a failed connection without a reason', failed(undefined), 'fetch failed'],
    ['an object without a text', Object.create(null), 'unknown error'],
  ])('says why for %s', (_, error, message) => {
    expect(messageOf(error)).toBe(message);
  });
});

describe('systemWords', () => {
  it.each([
    ['EDQUOT', 'the quota of the disk is used up'],
    ['EUNKNOWN', null],
    ['constructor', null],
  ])('says what %s means', (code, words) => {
    expect(systemWords(Object.assign(new Error(code), { code }))).toBe(words);
  });
});
