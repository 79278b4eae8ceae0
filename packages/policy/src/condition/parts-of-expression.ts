import type { Json } from '@ambit/core';
import type { Expression, Key } from './expression.js';

/** The keys that an expression reads of the call, except those of elements. */
export function keysOf(expression: Expression): readonly Key[] {
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'list':
      return expression.items.flatMap(keysOf);
    case 'var':
      return [expression.key, ...(expression.fallback === null ? [] : keysOf(expression.fallback))];
    case 'missing':
    case 'missing_some':
      return expression.keys;
    case 'operation': {
      const { operator, operands } = expression;
      const isOverList = operator === 'all' || operator === 'some' || operator === 'none';
      return (isOverList ? operands.slice(0, 1) : operands).flatMap(keysOf);
    }
  }
}

/** The values that are written in an expression, those of lists one by one. */
export function literalsIn(expression: Expression): readonly Json[] {
  switch (expression.kind) {
    case 'literal':
      return [expression.value];
    case 'list':
      return expression.items.flatMap(literalsIn);
    case 'var':
      return expression.fallback === null ? [] : literalsIn(expression.fallback);
    case 'missing':
    case 'missing_some':
      return [];
    case 'operation':
      return expression.operands.flatMap(literalsIn);
  }
}

export function textsIn(expression: Expression): readonly string[] {
  return literalsIn(expression).filter((value) => typeof value === 'string');
}
