import { isUndecided, type Json } from '@ambit/core';
import fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { evaluateCondition, evaluateValue, mostWork } from '../../src/condition/evaluate.js';
import { step, Undecidable } from '../../src/condition/operators.js';
import { compileExpression } from '../../src/engine/expression/compile-expression.js';
import { data, rule } from '../condition/arbitrary-expressions.js';
import { dialect, parseFree } from '../condition/expressions.js';
import { seed } from '../seed.js';

function compiled(logic: Json) {
  const expression = parseFree(logic);
  return expression === null ? null : { expression, ...compileExpression(expression) };
}

describe('a compiled condition', () => {
  it('has the value, the truth and the reasons of the plain one', () => {
    let read = 0;
    fc.assert(
      fc.property(rule, data, (logic, values) => {
        const found = compiled(logic);
        if (found === null) return;
        read += 1;
        const { expression, value, condition, outcome } = found;
        const plain = evaluateValue(expression, values);
        expect(value(values, { left: mostWork })).toEqual(plain);
        expect(outcome(values, { left: mostWork }).value).toEqual(plain);
        expect(condition(values, { left: mostWork })).toEqual(evaluateCondition(expression, values));
      }),
      explore(10_000, seed),
    );
    expect(read).toBeGreaterThan(tries(10_000) / 2);
  }, 600_000);

  it('comes to the end of its work where the plain one does', () => {
    fc.assert(
      fc.property(rule, data, fc.integer({ min: 0, max: 12 * step }), (logic, values, left) => {
        const found = compiled(logic);
        if (found === null) return;
        const { expression, value, condition } = found;
        expect(value(values, { left })).toEqual(evaluateValue(expression, values, left));
        expect(condition(values, { left })).toEqual(evaluateCondition(expression, values, left));
      }),
      explore(10_000, seed),
    );
  }, 600_000);

  it('has json-logic-js’s value wherever it has one', () => {
    let decided = 0;
    fc.assert(
      fc.property(rule, data, (logic, values) => {
        const found = compiled(logic);
        const value = found?.value(values, { left: mostWork });
        if (value === undefined || value instanceof Undecidable) return;
        decided += 1;
        expect(value).toEqual(jsonLogic.apply(logic as never, values));
      }),
      explore(10_000, seed),
    );
    expect(decided).toBeGreaterThan(tries(10_000) / 5);
  }, 600_000);

  it.each<readonly [Json, Json]>([
    [{ '+': [-0, -0] }, {}],
    [{ '*': [-0, 5] }, {}],
    [{ '*': [0, -5] }, {}],
    [{ '-': [0, 0] }, {}],
    [{ '%': [-4, 2] }, {}],
    [{ '/': [1, -0] }, {}],
    [{ in: ['', ''] }, {}],
    [{ in: [null, [null]] }, {}],
    [{ in: ['a', { var: 'list' }] }, { list: [{ a: 1 }, 'a'] }],
    [{ and: [null, false] }, {}],
    [{ '==': [{ and: [null, false] }, false] }, {}],
    [{ cat: [1, 'a'] }, {}],
    [{ substr: ['abcdef', 1, -2] }, {}],
    [{ '<': [1, 2, 3] }, {}],
  ])('%j is what it is elsewhere', (logic, values) => {
    const value = compiled(logic)?.value(values, { left: mostWork });
    const plain = dialect(logic, values);
    expect(value instanceof Undecidable ? 'undecided' : { value }).toEqual(plain);
    if (!(value instanceof Undecidable)) expect(value).toEqual(jsonLogic.apply(logic as never, values));
  });

  it('reads own properties alone', () => {
    const names = ['constructor.name', '__proto__', 'toString', 'a.constructor', 'a.length', 'b.0'];
    const values = { a: 'text', b: [1] };
    const seen = names.map((name) => compiled({ var: name })?.value(values, { left: mostWork }));
    expect(seen.map((value) => (value instanceof Undecidable ? 'undecided' : value))).toEqual([
      'undecided',
      'undecided',
      'undecided',
      'undecided',
      4,
      1,
    ]);
  });

  it('is undecided, and not true, where json-logic-js only finds something truthy', () => {
    const found = compiled({ cat: ['no', 'thing'] });
    expect(isUndecided(found?.condition({}, { left: mostWork }) ?? false)).toBe(true);
  });
});
