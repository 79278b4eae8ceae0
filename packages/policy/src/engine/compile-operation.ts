import type { Json } from '@ambit/core';
import { type OwnOperator, ownOperators, type ValueOperator } from '../expression.js';
import { applyOperator, applyOwnOperator, costOf, isQuickToFind, Undecidable } from '../operators.js';
import { type Evaluator, isSpent, tooMuch, type Value, type ValueOf } from './evaluator.js';

type Operator = ValueOperator | OwnOperator;

/** An operator that takes values. What it does with the usual kinds is here, everything else is left to the plain one. */
export function compileOperation(operator: Operator, operands: readonly Evaluator[]): ValueOf {
  const values = operands.map(({ value }) => value);
  const [first, second] = values;
  const quick = quickly[operator];
  if (quick === undefined || first === undefined || second === undefined || values.length !== 2)
    return generally(operator, values);
  return (data, work) => {
    if (isSpent(work)) return tooMuch;
    const one = first(data, work);
    if (one instanceof Undecidable) return one;
    const other = second(data, work);
    if (other instanceof Undecidable) return other;
    work.left -= 1 + costOfOne(one) + costOfOne(other);
    if (work.left < 0) return tooMuch;
    return quick(one, other) ?? apply(operator, [one, other]);
  };
}

function generally(operator: Operator, operands: readonly ValueOf[]): ValueOf {
  return (data, work) => {
    if (isSpent(work)) return tooMuch;
    const values: Json[] = [];
    for (const operand of operands) {
      const value = operand(data, work);
      if (value instanceof Undecidable) return value;
      values.push(value);
    }
    work.left -= costOf(values);
    return work.left < 0 ? tooMuch : apply(operator, values);
  };
}

function apply(operator: Operator, values: readonly Json[]): Value {
  return isOwn(operator) ? applyOwnOperator(operator, values) : applyOperator(operator, values);
}

function isOwn(operator: Operator): operator is OwnOperator {
  return (ownOperators as readonly Operator[]).includes(operator);
}

/** The value for two operands of the usual kinds; undefined for others. */
type Quick = (one: Json, other: Json) => Json | undefined;

const isEqual: Quick = (one, other) => (areOfOneKind(one, other) ? one === other : undefined);
const isUnequal: Quick = (one, other) => (areOfOneKind(one, other) ? one !== other : undefined);

const quickly: Readonly<Partial<Record<Operator, Quick>>> = {
  '==': isEqual,
  '===': isEqual,
  '!=': isUnequal,
  '!==': isUnequal,
  '<': (one, other) => (areNumbers(one, other) ? Number(one) < Number(other) : undefined),
  '<=': (one, other) => (areNumbers(one, other) ? Number(one) <= Number(other) : undefined),
  '>': (one, other) => (areNumbers(one, other) ? Number(one) > Number(other) : undefined),
  '>=': (one, other) => (areNumbers(one, other) ? Number(one) >= Number(other) : undefined),
  '%': (one, other) => (areNumbers(one, other) ? finite(Number(one) % Number(other)) : undefined),
  '-': (one, other) => (areNumbers(one, other) ? finite(Number(one) - Number(other)) : undefined),
  '/': (one, other) => (areNumbers(one, other) ? finite(Number(one) / Number(other)) : undefined),
  // json-logic-js reads its operands as text, in which there is no negative zero.
  '+': (one, other) => (areNumbers(one, other) ? finite(0 + Number(one) + Number(other)) : undefined),
  '*': (one, other) => (areNumbers(one, other) ? finite((Number(one) + 0) * (Number(other) + 0)) : undefined),
  in: (one, other) => {
    if (typeof other === 'string' && typeof one === 'string')
      return isQuickToFind(one, other) ? other !== '' && other.includes(one) : undefined;
    if (!Array.isArray(other) || (typeof one === 'object' && one !== null)) return undefined;
    return (other as readonly Json[]).indexOf(one) !== -1;
  },
};

function areOfOneKind(one: Json, other: Json): boolean {
  return typeof one === typeof other && typeof one !== 'object';
}

function areNumbers(one: Json, other: Json): boolean {
  return typeof one === 'number' && typeof other === 'number';
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function costOfOne(value: Json): number {
  if (typeof value === 'string') return value.length / 50;
  return Array.isArray(value) ? value.length : 1;
}
