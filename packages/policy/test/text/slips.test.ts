import { describe, expect, it } from 'vitest';
import { editDistance, isOneSlip } from '../../src/text/suggest.js';

const letters = ['a', 'b', 'c'];
const [none, one] = [[''], letters];
const two = one.flatMap((word) => letters.map((letter) => word + letter));
const three = two.flatMap((word) => letters.map((letter) => word + letter));
const four = three.flatMap((word) => letters.map((letter) => word + letter));
const words = [...none, ...one, ...two, ...three, ...four];

describe('isOneSlip', () => {
  it('is true exactly for distance one, for all short words', () => {
    const pairs = words.flatMap((one) => words.map((other) => [one, other] as const));
    expect(pairs.filter(([one, other]) => isOneSlip(one, other))).toEqual(
      pairs.filter(([one, other]) => editDistance(one, other) === 1),
    );
  });

  it('finds a slip at any position of a longer word', () => {
    expect(
      ['et', 'ne', 'nett', 'nte', 'ent', 'nat', 'not', 'net', 'ten', 'naet', 'nets'].map((word) =>
        isOneSlip(word, 'net'),
      ),
    ).toEqual([true, true, true, true, true, true, true, false, false, true, true]);
  });
});
