import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { choose } from '../../src/history/learn/choose.js';
import { fewest } from '../../src/history/learn/cover.js';

const subset = (width: number) => fc.bigInt({ min: 1n, max: (1n << BigInt(width)) - 1n });
const union = (sets: readonly bigint[]) => sets.reduce((all, set) => all | set, 0n);

/** All choices of some of these indices, by trying each. */
function choices(count: number): readonly (readonly number[])[] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (__, index) => index).filter((index) => (bits >> index) % 2 === 1),
  );
}

describe('fewest', () => {
  it('finds a smallest cover', () => {
    fc.assert(
      fc.property(fc.array(subset(10), { minLength: 1, maxLength: 9 }), (sets) => {
        const needed = union(sets);
        const cover = fewest(sets, needed);
        const least = Math.min(
          ...choices(sets.length)
            .filter((indices) => union(indices.map((index) => sets[index] as bigint)) === needed)
            .map(({ length }) => length),
        );
        expect(union(cover.chosen.map((index) => sets[index] as bigint)) & needed).toBe(needed);
        expect(cover).toMatchObject({ exact: true, atLeast: least, chosen: { length: least } });
      }),
      explore(3000),
    );
  });

  it('gives up after a limit, with a lower bound for the cover', () => {
    // Drawn at random, so that nothing can be left out, and the bound is weak.
    let state = 7;
    const draw = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const sets = Array.from({ length: 200 }, () =>
      union(Array.from({ length: 9 }, () => 1n << BigInt(draw(120)))),
    );
    const cover = fewest(sets, union(sets));
    expect(cover.exact).toBe(false);
    expect(cover.atLeast).toBeGreaterThan(1);
    expect(cover.atLeast).toBeLessThanOrEqual(cover.chosen.length);
    expect(union(cover.chosen.map((index) => sets[index] as bigint))).toBe(union(sets));
  });
});

describe('choose', () => {
  it('answers the most calls with the fewest rules, and keeps required questions', () => {
    const places = fc.integer({ min: 0, max: 5 });
    const choosing = fc.record({
      covers: fc.array(subset(6), { minLength: 1, maxLength: 6 }),
      wanted: fc.array(subset(6), { maxLength: 5 }),
      kept: fc.array(fc.array(fc.uniqueArray(places, { maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
        maxLength: 3,
      }),
    });
    fc.assert(
      fc.property(choosing, (of) => {
        const answered = (indices: readonly number[]) => {
          const reach = union(indices.map((index) => of.covers[index] as bigint));
          return of.wanted.filter((asks) => (asks & ~reach) === 0n).length;
        };
        const isAllowed = (indices: readonly number[]) =>
          !of.kept.some((asks) => asks.every((by) => by.some((index) => indices.includes(index))));
        const found = choose(of, new Set());
        const allowed = choices(of.covers.length).filter(isAllowed);
        const most = Math.max(...allowed.map(answered));
        const best = allowed.filter((one) => answered(one) === most);
        expect(isAllowed(found.chosen)).toBe(true);
        expect({ calls: answered(found.chosen), rules: found.chosen.length }).toEqual({
          calls: most,
          rules: Math.min(...best.map(({ length }) => length)),
        });
        expect(found.answered.length).toBe(most);
      }),
      explore(3000),
    );
  });
});
