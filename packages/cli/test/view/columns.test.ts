import { columnsOf } from '@ambit/core';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { lastPoint, numberOf, pointAt } from '../../../../test/texts.js';
import { cut, shown } from '../../src/view/text.js';

describe('columnsOf', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['漢字', 4],
    ['ﾊﾝｶｸ', 4],
    ['e\u0301', 1],
    ['🎉', 2],
    ['한글', 4],
    ['│├└✓✗›…', 7],
  ])('%j is %i columns wide', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe('cut', () => {
  it.each([
    ['plain', 5, 'plain'],
    ['plain', 4, 'pla…'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 6, '漢字…'],
    ['ae\u0301b', 2, 'a…'],
    ['ae\u0301bc', 3, 'ae\u0301…'],
    ['plain', 1, '…'],
    ['plain', 0, ''],
  ])('of %j to %i columns is %j', (text, columns, expected) => {
    expect(cut(text, columns)).toBe(expected);
  });

  it('is a prefix of the text that fits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf) }),
        fc.integer({ min: 0, max: 30 }),
        (text, columns) => {
          const part = cut(text, columns);
          expect(columnsOf(part)).toBeLessThanOrEqual(columns);
          expect(text.startsWith(part.replace(/…$/, ''))).toBe(true);
        },
      ),
      explore(2000),
    );
  });
});

describe('shown', () => {
  it.each([
    ['a\tb\n c ', 'a b c'],
    ['\u001b[2J', '\\u{1b}[2J'],
    ['\u202eabc\u200d', '\\u{202e}abc\\u{200d}'],
    ['\u0301x', '\\u{301}x'],
    ['x \u0301', 'x \\u{301}'],
    [`e${'\u0301'.repeat(5)}`, `e${'\u0301'.repeat(3)}\\u{301}\\u{301}`],
    ['\ud800', '\\u{d800}'],
  ])('%j is %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('contains no control, invisible or combining characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf) }), (text) => {
        expect(shown(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\p{M}|\s\p{M}|\p{M}{4}/u);
      }),
      explore(2000),
    );
  });
});
