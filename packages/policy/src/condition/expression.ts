import type { Json } from '@ambit/core';

/** Operators that compute a value from values as json-logic-js does. */
export const valueOperators = [
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
  'cat',
  'substr',
] as const;
export const truthOperators = ['and', 'or', '!', '!!', 'if'] as const;
export const listOperators = ['all', 'some', 'none'] as const;
export const ownOperators = ['under', 'cidr'] as const;

export type ValueOperator = (typeof valueOperators)[number];
export type TruthOperator = (typeof truthOperators)[number];
export type ListOperator = (typeof listOperators)[number];
export type OwnOperator = (typeof ownOperators)[number];
export type Operator = ValueOperator | TruthOperator | ListOperator | OwnOperator;

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
