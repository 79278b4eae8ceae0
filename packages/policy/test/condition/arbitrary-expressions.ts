import type { Json, JsonObject } from '@ambit/core';
import fc from 'fast-check';

const primitive: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(true, false, null, 0, 1, -1, 2.5, 1e300, '', '0', 'a', 'ab', 'b'),
  fc.integer({ min: -3, max: 3 }),
);
const key = fc.constantFrom('a', 'b', 'c.d', 'c.0', 'list', 'list.0', 'list.length', 'items', 'z', '');
/** Rules with every operator, most of them meaningless, and data for them. */
export const { data, rule } = fc.letrec<{ data: JsonObject; rule: Json; element: Json }>((tie) => ({
  element: fc.oneof(
    primitive,
    fc.record({ a: primitive, b: primitive }, { requiredKeys: [], noNullPrototype: true }),
  ),
  data: fc.record(
    {
      a: primitive,
      b: primitive,
      c: fc.oneof(
        fc.record({ d: primitive }, { noNullPrototype: true }),
        fc.array(primitive, { maxLength: 2 }),
      ),
      list: fc.array(primitive, { maxLength: 4 }),
      items: fc.array(tie('element'), { maxLength: 4 }),
    },
    { requiredKeys: [], noNullPrototype: true },
  ) as fc.Arbitrary<JsonObject>,
  rule: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'rule' },
    primitive,
    key.map((path): Json => ({ var: path })),
    fc.tuple(key, primitive).map((operands): Json => ({ var: operands })),
    fc.array(key, { maxLength: 3 }).map((keys): Json => ({ missing: keys })),
    fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.array(key, { maxLength: 3 }))
      .map((operands): Json => ({ missing_some: operands })),
    operation(
      ['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in', '/', '%', 'all', 'some', 'none'],
      fc.tuple(tie('rule'), tie('rule')),
    ),
    operation(
      ['all', 'some', 'none'],
      fc.tuple(fc.constantFrom<Json>({ var: 'list' }, { var: 'items' }), tie('rule')),
    ),
    operation(['<', '<=', 'substr', 'if'], fc.tuple(tie('rule'), tie('rule'), tie('rule'))),
    operation(
      ['and', 'or', 'if', '+', '*', 'min', 'max', 'cat'],
      fc.array(tie('rule'), { minLength: 1, maxLength: 4 }),
    ),
    operation(['!', '!!', '-'], fc.tuple(tie('rule'))),
    fc.array(tie('rule'), { maxLength: 3 }),
  ),
}));

function operation(names: readonly string[], operands: fc.Arbitrary<readonly Json[]>): fc.Arbitrary<Json> {
  return fc.tuple(fc.constantFrom(...names), operands).map(([name, list]) => ({ [name]: list }));
}
