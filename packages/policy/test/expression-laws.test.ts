import { isUndecided, type Json, type JsonObject } from '@ambit/core';
import fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import { describe, expect, it } from 'vitest';
import { evaluateCondition, evaluateValue } from '../src/evaluate.js';
import { Undecidable } from '../src/operators.js';
import { parseFree } from './expressions.js';

const runs = { numRuns: 4000 };
const primitive: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(true, false, null, 0, 1, -1, 2.5, 1e300, '', '0', 'a', 'ab', 'b'),
  fc.integer({ min: -3, max: 3 }),
);
const key = fc.constantFrom('a', 'b', 'c.d', 'c.0', 'list', 'list.0', 'list.length', 'items', 'z', '');
const { data, rule } = fc.letrec<{ data: JsonObject; rule: Json; element: Json }>((tie) => ({
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

/** json-logic-js, on data as JSON gives it: an object without a prototype makes it throw where it wants a number. */
function reference(logic: Json, values: Json): unknown {
  return jsonLogic.apply(logic as never, values);
}

describe('a condition', () => {
  it('never has a value other than json-logic-js’s', () => {
    let decided = 0;
    fc.assert(
      fc.property(rule, data, (logic, values) => {
        const expression = parseFree(logic);
        if (expression === null) return;
        const value = evaluateValue(expression, values);
        if (value instanceof Undecidable) return;
        decided += 1;
        expect(value).toEqual(reference(logic, values));
      }),
      runs,
    );
    expect(decided).toBeGreaterThan(runs.numRuns / 5);
  });

  it('is never true where json-logic-js is false, nor false where it is true', () => {
    let decided = 0;
    fc.assert(
      fc.property(rule, data, (logic, values) => {
        const expression = parseFree(logic);
        if (expression === null) return;
        const truth = evaluateCondition(expression, values);
        if (isUndecided(truth)) return;
        decided += 1;
        expect(truth).toBe(jsonLogic.truthy(reference(logic, values)));
      }),
      runs,
    );
    expect(decided).toBeGreaterThan(runs.numRuns / 20);
  });

  it('keeps its truth when more becomes known, but where it speaks about absence', () => {
    const silent = rule.filter((logic) => !/"missing|"var":\[|length/.test(JSON.stringify(logic)));
    fc.assert(
      fc.property(silent, data, fc.constantFrom('a', 'b', 'c', 'list', 'items'), (logic, values, fact) => {
        const expression = parseFree(logic);
        if (expression === null) return;
        const { [fact]: _, ...fewer } = values;
        const truth = evaluateCondition(expression, fewer);
        if (isUndecided(truth) || JSON.stringify(logic).includes('"var":""')) return;
        expect(evaluateCondition(expression, values)).toBe(truth);
      }),
      runs,
    );
  });
});
