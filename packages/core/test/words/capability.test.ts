import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { type Capability, equalJson, withoutRepetition } from '../../src/index.js';

const leaf = fc.constantFrom(0, -0, 1, '0', '', 'a', null, true, '\ud800', '\\ud800');
const fact = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('b', 'c', '__proto__'), leaf, { maxKeys: 2, noNullPrototype: true }),
);
const capability = fc.record(
  { name: fc.constantFrom('fs', 'net'), path: fact, 'a"b': fact },
  { requiredKeys: ['name'], noNullPrototype: true },
) as fc.Arbitrary<Capability>;

/** The same with its keys the other way round. */
function reversed(one: Capability): Capability {
  return Object.fromEntries(Object.entries(one).reverse()) as Capability;
}

describe('withoutRepetition', () => {
  it('keeps the first of equal capabilities, regardless of the order of keys', () => {
    fc.assert(
      fc.property(fc.array(capability, { maxLength: 12 }), (drawn) => {
        const list = [...drawn, ...drawn.map(reversed)];
        expect(withoutRepetition(list)).toEqual(
          list.filter((one, index) => !list.slice(0, index).some((other) => equalJson(one, other))),
        );
      }),
      explore(2000),
    );
  });

  it('distinguishes own facts from inherited properties', () => {
    const list: Capability[] = [{ name: 'a', constructor: 'x' }, { name: 'a' }, { name: 'a', toString: 'x' }];
    expect(withoutRepetition(list)).toEqual(list);
  });
});
