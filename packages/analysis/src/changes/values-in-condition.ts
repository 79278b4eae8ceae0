import type { Json } from '@ambit/core';
import type { Expression } from '@ambit/policy';
import { parseBlock } from '@ambit/policy/internal';

/** A key that a condition reads, and a value that may change its truth; `undefined` for a missing value. */
export interface ReadValue {
  /** `capability.path`, `context.env` */
  readonly key: string;
  readonly value: Json | undefined;
}

/** The values that a condition's own comparisons turn on, and one on the other side of each. */
export function valuesIn(expression: Expression): readonly ReadValue[] {
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'list':
      return expression.items.flatMap(valuesIn);
    case 'var':
      return [
        ...asked(expression, [true, false]),
        ...(expression.fallback === null ? [] : valuesIn(expression.fallback)),
      ];
    case 'missing':
    case 'missing_some':
      return expression.keys.flatMap((key) => [
        { key: String(key), value: undefined },
        { key: String(key), value: 'x' },
      ]);
    case 'operation': {
      const { operator, operands } = expression;
      if (['all', 'some', 'none'].includes(operator)) return operands.slice(0, 1).flatMap(valuesIn);
      const [one, other] = operands;
      if (operands.length === 2 && one !== undefined && other !== undefined) {
        const compared = compare(operator, one, other);
        if (compared.length > 0) return compared;
      }
      return operands.flatMap(valuesIn);
    }
  }
}

function compare(operator: string, one: Expression, other: Expression): readonly ReadValue[] {
  if (operator === 'in' && one.kind === 'var')
    return asked(one, other.kind === 'list' ? [...literals(other.items), 'x'] : literals([other]));
  const variable = one.kind === 'var' ? one : other;
  const [literal] = literals([one.kind === 'var' ? other : one]);
  if (variable.kind !== 'var' || literal === undefined) return [];
  if (operator === 'under' && typeof literal === 'string')
    return asked(variable, [literal === '/' ? '/x' : `${literal}/x`, '/x']);
  if (operator === 'cidr' && typeof literal === 'string')
    return parseBlock(literal) === null ? [] : asked(variable, [literal.replace(/\/.*$/, ''), '203.0.113.7']);
  if (typeof literal === 'number') return asked(variable, [literal, literal + 1, literal - 1]);
  if (typeof literal === 'boolean') return asked(variable, [literal, !literal]);
  return asked(variable, [literal, 'x']);
}

function asked(variable: Expression, values: readonly Json[]): readonly ReadValue[] {
  if (variable.kind !== 'var') return [];
  return [...values, undefined].map((value) => ({ key: String(variable.key), value }));
}

function literals(expressions: readonly Expression[]): readonly Json[] {
  return expressions.flatMap((expression) => (expression.kind === 'literal' ? [expression.value] : []));
}
