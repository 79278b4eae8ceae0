import type { Json } from '@ambit/core';

type Arities = Readonly<Record<string, readonly [least: number, most: number]>>;

/** Operators that compute a value from values as json-logic-js does, each with how many operands it takes. */
const valueArities = {
  '==': [2, 2],
  '===': [2, 2],
  '!=': [2, 2],
  '!==': [2, 2],
  '<': [2, 3],
  '<=': [2, 3],
  '>': [2, 2],
  '>=': [2, 2],
  in: [2, 2],
  '+': [1, 1e6],
  '-': [1, 2],
  '*': [1, 1e6],
  '/': [2, 2],
  '%': [2, 2],
  min: [1, 1e4],
  max: [1, 1e4],
  cat: [1, 1e6],
  substr: [2, 3],
} as const satisfies Arities;
const truthArities = { and: [1, 1e6], or: [1, 1e6], '!': [1, 1], '!!': [1, 1], if: [0, 1e6] } as const;
const listArities = { all: [2, 2], some: [2, 2], none: [2, 2] } as const;
const ownArities = { under: [2, 2], cidr: [2, 2] } as const;

export const arities = { ...valueArities, ...truthArities, ...listArities, ...ownArities } as const;

export type ValueOperator = keyof typeof valueArities;
export type ListOperator = keyof typeof listArities;
export type Operator = keyof typeof arities;

export const valueOperators = Object.keys(valueArities) as readonly ValueOperator[];

export function isOverList(operator: Operator): operator is ListOperator {
  return Object.hasOwn(listArities, operator);
}

/** A condition, checked: only operators that exist, with as many operands as they take, and literal keys. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'var'; readonly key: Key; readonly fallback: Expression | null }
  | { readonly kind: 'missing'; readonly keys: readonly Key[] }
  | { readonly kind: 'missing_some'; readonly need: number; readonly keys: readonly Key[] }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly operands: readonly Expression[] };

/** `capability.path`; within `all`, `some` and `none` a path in the element, `""` for the element itself. */
export type Key = string | number;

/** The names for conditions under `capabilities:`, and under `tools:`. */
export const capabilityRoots = ['capability', 'args', 'tool', 'toolset', 'worker', 'chain', 'context'];
export const toolRoots = capabilityRoots.filter((root) => root !== 'capability');

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
      return (isOverList(operator) ? operands.slice(0, 1) : operands).flatMap(keysOf);
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
