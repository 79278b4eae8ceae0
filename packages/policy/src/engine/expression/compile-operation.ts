import type { Json } from '@ambit/core';
import { type OwnOperator, ownOperators, type ValueOperator } from '../../condition/expression.js';
import {
  applyOperator,
  applyOwnOperator,
  applyUnder,
  costOf,
  costOfOne,
  step,
  Undecidable,
  UnknownPath,
} from '../../condition/operators.js';
import {
  type Constant,
  type Evaluator,
  isSpent,
  ofTruths,
  ofValues,
  tooMuch,
  type Value,
  type ValueOf,
} from './evaluator.js';
import { quickComparison } from './quick-comparisons.js';
import { quickly } from './quick-operators.js';

type Operator = ValueOperator | OwnOperator;

/** An operator on values. Usual kinds are in a table; the plain evaluator handles the rest. */
export function compileOperation(operator: Operator, operands: readonly Evaluator[]): Evaluator {
  const evaluator = ofValues(compileValue(operator, operands));
  const [{ fact } = {}, { constant } = {}] = operands;
  if (fact === undefined || constant === undefined || operands.length !== 2) return evaluator;
  const truth = quickComparison(operator, { ...fact, constant }, evaluator.condition);
  return truth === null ? evaluator : ofTruths(truth);
}

function compileValue(operator: Operator, operands: readonly Evaluator[]): ValueOf {
  const [first, second] = operands;
  if (operator === 'under' && first !== undefined && second !== undefined)
    return compileUnder(first.value, second.value);
  const quick = quickly[operator];
  if (quick === undefined || first === undefined || second === undefined || operands.length !== 2)
    return generally(operator, operands);
  const apply = (one: Json, other: Json) => quick(one, other) ?? applyAny(operator, [one, other]);
  return second.constant === undefined
    ? ofTwo(first.value, second.value, apply)
    : ofOneAndConstant(first.value, second.constant, apply);
}

type Apply = (one: Json, other: Json) => Value;

function ofTwo(first: ValueOf, second: ValueOf, apply: Apply): ValueOf {
  return (data, work) => {
    if (isSpent(work)) return tooMuch;
    const one = first(data, work);
    if (one instanceof Undecidable) return one;
    const other = second(data, work);
    if (other instanceof Undecidable) return other;
    work.left -= step + costOfOne(one) + costOfOne(other);
    return work.left < 0 ? tooMuch : apply(one, other);
  };
}

/** A literal is not worked out again, but its steps are counted. */
function ofOneAndConstant(first: ValueOf, { value: other, steps }: Constant, apply: Apply): ValueOf {
  const cost = costOfOne(other);
  return (data, work) => {
    if (isSpent(work)) return tooMuch;
    const one = first(data, work);
    if (one instanceof Undecidable) return one;
    work.left -= steps * step;
    if (work.left < 0) return tooMuch;
    work.left -= step + costOfOne(one) + cost;
    return work.left < 0 ? tooMuch : apply(one, other);
  };
}

/** The only operator that may decide about an unknown path. */
function compileUnder(path: ValueOf, folder: ValueOf): ValueOf {
  return (data, work) => {
    if (isSpent(work)) return tooMuch;
    const subject = path(data, work);
    if (subject instanceof Undecidable && !(subject instanceof UnknownPath)) return subject;
    const range = folder(data, work);
    if (range instanceof Undecidable) return range;
    work.left -= costOf(subject instanceof UnknownPath ? [range] : [subject, range]);
    return work.left < 0 ? tooMuch : applyUnder(subject, range);
  };
}

function generally(operator: Operator, operands: readonly Evaluator[]): ValueOf {
  const inputs = operands.map(({ value }) => value);
  return (data, work) => {
    if (isSpent(work)) return tooMuch;
    const values: Json[] = [];
    for (const input of inputs) {
      const value = input(data, work);
      if (value instanceof Undecidable) return value;
      values.push(value);
    }
    work.left -= costOf(values);
    return work.left < 0 ? tooMuch : applyAny(operator, values);
  };
}

function applyAny(operator: Operator, values: readonly Json[]): Value {
  return isOwn(operator) ? applyOwnOperator(operator, values) : applyOperator(operator, values);
}

function isOwn(operator: Operator): operator is OwnOperator {
  return (ownOperators as readonly Operator[]).includes(operator);
}
