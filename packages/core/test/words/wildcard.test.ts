import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { escapeRegExp, matchesWildcards } from '../../src/index.js';

describe('matchesWildcards', () => {
  it('agrees with the regular expression of the pattern', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?', '(', 'é'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (name, pattern) => {
        const source = pattern.replace(/[.()]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
        expect(matchesWildcards(pattern, name)).toBe(new RegExp(`^${source}$`, 'su').test(name));
      }),
      explore(3000),
    );
  });

  it('matches many stars in linear time', () => {
    expect(matchesWildcards('*a'.repeat(100).concat('b'), 'a'.repeat(255))).toBe(false);
  });
});

describe('escapeRegExp', () => {
  it('escapes text so that only this text matches', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(new RegExp(`^${escapeRegExp(text)}$`, 'u').test(text)).toBe(true);
      }),
      explore(1000),
    );
  });
});
