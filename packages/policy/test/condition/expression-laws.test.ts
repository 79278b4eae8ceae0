import { isUndecided, type Json } from '@ambit/core';
import fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { evaluate } from '../../src/condition/evaluate.js';
import type { Expression } from '../../src/condition/expression.js';
import { Undecidable } from '../../src/condition/operators.js';
import { seed } from '../seed.js';
import { data, rule } from './arbitrary-expressions.js';
import { parseFree } from './expressions.js';

const runs = explore(4000, seed);

/** json-logic-js, on data as JSON gives it: an object without a prototype makes it throw where it wants a number. */
function reference(logic: Json, values: Json): unknown {
  return jsonLogic.apply(logic as never, values);
}

const kinds: readonly Json[] = [-1, 0, -0, 1, 2.5, 'a', 'ab', '', true, false, null, [], ['a', 1, null], {}];
const operators = [
  '==',
  '===',
  '!=',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  '+',
  '-',
  '*',
  '/',
  '%',
  'min',
  'max',
];

describe('a condition', () => {
  it.each(operators)('with %s has the value of json-logic-js for values of every kind', (operator) => {
    let decided = 0;
    for (const one of kinds)
      for (const other of kinds) {
        const logic = { [operator]: [{ var: 'a' }, { var: 'b' }] };
        const values = { a: one, b: other };
        const value = evaluate(parseFree(logic) as Expression, values).value;
        if (value instanceof Undecidable) continue;
        decided += 1;
        expect(value).toEqual(reference(logic, values));
      }
    expect(decided).toBeGreaterThanOrEqual(15);
  });

  it('never has a value other than json-logic-js’s', () => {
    let decided = 0;
    fc.assert(
      fc.property(rule, data, (logic, values) => {
        const expression = parseFree(logic);
        if (expression === null) return;
        const value = evaluate(expression, values).value;
        if (value instanceof Undecidable) return;
        decided += 1;
        expect(value).toEqual(reference(logic, values));
      }),
      runs,
    );
    expect(decided).toBeGreaterThan(runs.numRuns / 5);
  });

  it('is never true if json-logic-js is false, and never false if json-logic-js is true', () => {
    let decided = 0;
    fc.assert(
      fc.property(rule, data, (logic, values) => {
        const expression = parseFree(logic);
        if (expression === null) return;
        const truth = evaluate(expression, values).condition;
        if (isUndecided(truth)) return;
        decided += 1;
        expect(truth).toBe(jsonLogic.truthy(reference(logic, values)));
      }),
      runs,
    );
    expect(decided).toBeGreaterThan(runs.numRuns / 20);
  });

  it('keeps its truth when more facts become known, unless it tests absence', () => {
    const silent = rule.filter((logic) => !/"missing|"var":\[|length/.test(JSON.stringify(logic)));
    fc.assert(
      fc.property(silent, data, fc.constantFrom('a', 'b', 'c', 'list', 'items'), (logic, values, fact) => {
        const expression = parseFree(logic);
        if (expression === null) return;
        const { [fact]: _, ...fewer } = values;
        const truth = evaluate(expression, fewer).condition;
        if (isUndecided(truth) || JSON.stringify(logic).includes('"var":""')) return;
        expect(evaluate(expression, values).condition).toBe(truth);
      }),
      runs,
    );
  });
});
