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

export const roots = ['capability', 'args', 'tool', 'toolset', 'worker', 'chain', 'context'] as const;
