import { describe, expect, it } from 'vitest';
import { both, decisions, either, isStricter, negation, strictest, type Truth } from '../../src/index.js';

const unknown: Truth = { undecided: 'why' };

describe('decisions', () => {
  it('are ordered, and the strictest of several is the last', () => {
    expect(decisions.map((one) => decisions.map((other) => isStricter(one, other)))).toEqual([
      [false, false, false],
      [true, false, false],
      [true, true, false],
    ]);
    expect(strictest(['needs_approval', 'blocked', 'pre_approved'])).toBe('blocked');
    expect(strictest(['blocked', ...Array<'pre_approved'>(200_000).fill('pre_approved')])).toBe('blocked');
  });
});

describe("Kleene's logic", () => {
  it.each<readonly [Truth, Truth, Truth, Truth]>([
    [true, true, true, true],
    [true, false, false, true],
    [false, false, false, false],
    [true, unknown, unknown, true],
    [false, unknown, false, unknown],
    [unknown, unknown, unknown, unknown],
  ])('of %j and %j: both is %j, either is %j', (one, other, and, or) => {
    expect([both([one, other]), both([other, one])]).toEqual([and, and]);
    expect([either([one, other]), either([other, one])]).toEqual([or, or]);
  });

  it('of none: both is true, either is false', () => {
    expect([both([]), either([])]).toEqual([true, false]);
  });

  it('swaps true and false, and keeps undecided', () => {
    expect([true, false, unknown].map(negation)).toEqual([false, true, unknown]);
  });
});
