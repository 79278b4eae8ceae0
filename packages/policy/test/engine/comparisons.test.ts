import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { evaluateCondition, mostWork } from '../../src/condition/evaluate.js';
import type { Expression } from '../../src/condition/expression.js';
import { compileExpression } from '../../src/engine/expression/compile-expression.js';
import { parseFree } from '../condition/expressions.js';

const operators = ['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%'];
const values: readonly Json[] = [
  -1,
  0,
  1,
  2.5,
  'a',
  'b',
  'ab',
  '',
  true,
  false,
  null,
  [],
  ['a', 1, null],
  {},
];

function read(logic: Json): Expression {
  const expression = parseFree(logic);
  if (expression === null) throw new Error(`no expression: ${JSON.stringify(logic)}`);
  return expression;
}

/** Where the two evaluators differ. */
function differences(expression: Expression, data: Json, work = mostWork): readonly unknown[] {
  const { condition } = compileExpression(expression);
  const [found, plain] = [condition(data, { left: work }), evaluateCondition(expression, data, work)];
  return JSON.stringify(found) === JSON.stringify(plain) ? [] : [{ expression, data, work, found, plain }];
}

describe('a compiled comparison', () => {
  const written = values.filter((value) => typeof value !== 'object' || Array.isArray(value));

  it.each(operators)('with %s is the plain one for values of every kind, and for none', (operator) => {
    const found = written.flatMap((constant) => {
      const expression = read({ [operator]: [{ var: 'fact' }, constant] });
      return [...values.map((fact) => ({ fact })), {}].flatMap((data) => differences(expression, data));
    });
    expect(found).toEqual([]);
  });

  it.each(operators)('with %s of two facts is the plain one for values of every kind', (operator) => {
    const expression = read({ [operator]: [{ var: 'one' }, { var: 'other' }] });
    expect(
      values.flatMap((one) => values.flatMap((other) => differences(expression, { one, other }))),
    ).toEqual([]);
  });

  it.each([
    ['a text', { '==': [{ var: 'fact' }, 'x'] }, 60_000],
    ['a text twice', { and: [{ '!=': [{ var: 'fact' }, 'x'] }, { '!=': [{ var: 'fact' }, 'y'] }] }, 120_000],
    ['a list', { in: [{ var: 'fact' }, ['x', 'y']] }, 60_000],
  ])('of %s ends its work where the plain one does', (_, logic, about) => {
    const expression = read(logic);
    const data = { fact: 'x'.repeat(60_000) };
    const works = Array.from({ length: 1_000 }, (_, index) => about + index);
    const ends = works.map((work) => JSON.stringify(evaluateCondition(expression, data, work)));
    expect(new Set(ends).size).toBe(2);
    expect(works.flatMap((work) => differences(expression, data, work))).toEqual([]);
  });
});

describe('a compiled look-up', () => {
  const inherited = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'amount'];

  it.each(['capability', 'args', 'context', 'other'])(
    'finds nothing that the facts of %s only inherit',
    (root) => {
      const data = { [root]: Object.create({ amount: 5 }) as Json };
      const found = inherited.flatMap((name) => {
        const key = `${root}.${name}`;
        const logics: readonly Json[] = [
          { '!=': [{ var: key }, 1] },
          { missing: [key] },
          { '!!': [{ var: [key, true] }] },
        ];
        return logics.flatMap((logic) => differences(read(logic), data));
      });
      expect(found).toEqual([]);
      const { value } = compileExpression(read({ missing: inherited.map((name) => `${root}.${name}`) }));
      expect(value(data, { left: mostWork })).toEqual(inherited.map((name) => `${root}.${name}`));
    },
  );
});

describe('`and` and `or`, compiled', () => {
  const facts: readonly Json[] = [{ fact: true }, { fact: false }, {}];
  const truths: readonly Json[] = [true, false, { var: 'none' }];

  it.each([1, 2, 3, 9, 10])(
    'of %i operands are the plain ones, wherever what settles or is undecided stands',
    (count) => {
      const lists = Array.from({ length: count }, (_, place) => place).flatMap((place) =>
        truths.flatMap((rest) =>
          truths.map((last) =>
            Array.from(
              { length: count },
              (_, at): Json => (at === place ? { var: 'fact' } : at === count - 1 ? last : rest),
            ),
          ),
        ),
      );
      const found = ['and', 'or'].flatMap((operator) =>
        lists.flatMap((list) => facts.flatMap((data) => differences(read({ [operator]: list }), data))),
      );
      expect(found).toEqual([]);
    },
  );
});
