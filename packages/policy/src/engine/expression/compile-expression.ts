import { both, either, equalJson, type Json, negation, type Truth } from '@ambit/core';
import {
  absence,
  isTruthy,
  isWithinPath,
  readsPath,
  unknownAt,
  unknownWithin,
} from '../../condition/evaluate.js';
import {
  type Expression,
  type ListOperator,
  listOperators,
  type Operator,
  truthOperators,
} from '../../condition/expression.js';
import { step, Undecidable } from '../../condition/operators.js';
import { compileKey } from './compile-key.js';
import { compileOperation } from './compile-operation.js';
import {
  type Constant,
  type Evaluator,
  isSpent,
  type Outcome,
  ofTruths,
  ofValues,
  type TruthOf,
  tooMuch,
  tooMuchTruth,
  type Value,
  type ValueOf,
  valueOfTruth,
  type Work,
} from './evaluator.js';

type Operation = Extract<Expression, { readonly kind: 'operation' }>;
type Plain = Exclude<Expression, Operation>;

/** `evaluate`, of closures: the same values, the same reasons, the same work. */
export function compileExpression(expression: Expression, isElement = false): Evaluator {
  if (expression.kind === 'operation') return compileOperator(expression, isElement);
  const evaluator = ofValues(compilePlain(expression, isElement));
  // Parts of an unknown path are unknown, and a quick comparison would not see it.
  if (
    expression.kind === 'var' &&
    expression.fallback === null &&
    (isElement || !isWithinPath(expression.key))
  ) {
    const absent = Object.freeze({ undecided: absence(expression.key, isElement) });
    return { ...evaluator, fact: { find: compileKey(expression.key), absent } };
  }
  const constant = constantOf(expression);
  return constant === null ? evaluator : { ...evaluator, constant };
}

/** Of a literal, and a list of literals. */
function constantOf(expression: Plain): Constant | null {
  if (expression.kind === 'literal') return { value: expression.value, steps: 1 };
  if (expression.kind !== 'list') return null;
  const literals = expression.items.filter((item) => item.kind === 'literal');
  if (literals.length < expression.items.length) return null;
  const value = literals.map((literal) => literal.value);
  return { value, steps: 1 + literals.length };
}

function compileOperator({ operator, operands }: Operation, isElement: boolean): Evaluator {
  const [first, second] = operands;
  if (isIn(listOperators, operator))
    return ofTruths(
      truthOfEach(operator, {
        list: compileExpression(first as Expression, isElement).value,
        test: compileExpression(second as Expression, true).operand,
      }),
    );
  const compiled = operands.map((operand) => compileExpression(operand, isElement));
  if (!isIn(truthOperators, operator)) return compileOperation(operator, compiled);
  if (operator === 'if') return compileBranches(compiled);
  if (operator === 'and' || operator === 'or') return compileJunction(operator === 'or', compiled);
  const { operand } = compiled[0] as Evaluator;
  return ofTruths((data, work) => {
    if (isSpent(work)) return tooMuchTruth;
    return operator === '!' ? negation(operand(data, work)) : operand(data, work);
  });
}

function compilePlain(expression: Plain, isElement: boolean): ValueOf {
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression;
      return (_, work) => (isSpent(work) ? tooMuch : value);
    }
    case 'list': {
      const items = expression.items.map((item) => compileExpression(item, isElement).value);
      return (data, work) => (isSpent(work) ? tooMuch : valuesOf(items, data, work));
    }
    case 'var': {
      const [find, absent] = [
        compileKey(expression.key),
        new Undecidable(absence(expression.key, isElement)),
      ];
      const { fallback } = expression;
      const otherwise = fallback === null ? null : compileExpression(fallback, isElement).value;
      const { key } = expression;
      const mayBeUnknown = !isElement && readsPath(key);
      return (data, work) => {
        if (isSpent(work)) return tooMuch;
        const unknown = mayBeUnknown ? unknownAt(key, data) : null;
        if (unknown !== null) return unknown;
        const found = find(data);
        if (found !== undefined) return found;
        return otherwise === null ? absent : otherwise(data, work);
      };
    }
    case 'missing':
    case 'missing_some': {
      const { keys } = expression;
      const need = expression.kind === 'missing' ? Number.POSITIVE_INFINITY : expression.need;
      const finders = keys.map((key) => ({ key, find: compileKey(key) }));
      return (data, work) => {
        if (isSpent(work)) return tooMuch;
        work.left -= keys.length * step;
        const unknown = isElement ? null : unknownWithin(keys, data);
        if (unknown !== null) return unknown;
        const absent = finders.filter(({ find }) => isNothing(find(data))).map(({ key }) => key);
        return keys.length - absent.length >= need ? [] : absent;
      };
    }
  }
}

function valuesOf(items: readonly ValueOf[], data: Json, work: Work): readonly Json[] | Undecidable {
  const values: Json[] = [];
  for (const item of items) {
    const value = item(data, work);
    if (value instanceof Undecidable) return value;
    values.push(value);
  }
  return values;
}

/** Every element is evaluated, as in the plain evaluator, so both run out of work together. */
function truthOfEach(
  operator: ListOperator,
  of: { readonly list: ValueOf; readonly test: TruthOf },
): TruthOf {
  const join = operator === 'all' ? both : either;
  return (data, work) => {
    if (isSpent(work)) return tooMuchTruth;
    const items = of.list(data, work);
    if (items instanceof Undecidable) return { undecided: items.why };
    if (!Array.isArray(items)) return { undecided: `\`${operator}\` needs a list` };
    if (items.length === 0) return operator === 'none';
    const truth = join((items as readonly Json[]).map((item) => of.test(item, work)));
    return operator === 'none' ? negation(truth) : truth;
  };
}

/** `and`, which false settles, or `or`, which true settles. */
function compileJunction(settling: boolean, operands: readonly Evaluator[]): Evaluator {
  const joined = joinedTruth(
    settling,
    operands.map(({ operand }) => operand),
  );
  const truthOf: TruthOf = (data, work) => (isSpent(work) ? tooMuchTruth : joined(data, work));
  const outcome = (data: Json, work: Work): Outcome => {
    if (isSpent(work)) return { value: tooMuch, operand: tooMuchTruth };
    let joined: Truth = !settling;
    let value: Value | undefined;
    let last: Value = null;
    for (const operand of operands) {
      const found = operand.outcome(data, work);
      last = found.value;
      if (value === undefined && (last instanceof Undecidable || isTruthy(last) === settling)) value = last;
      if (found.operand === settling) {
        joined = settling;
        break;
      }
      if (joined === !settling) joined = found.operand;
    }
    const isDecided = typeof joined === 'boolean';
    const found = value === undefined ? last : value;
    return { value: isDecided ? found : valueOfTruth(joined), operand: joined };
  };
  return {
    value: (data, work) => outcome(data, work).value,
    operand: truthOf,
    condition: truthOf,
    outcome,
  };
}

/** Few operands are called without a loop, each at its own call site, which is fast. */
const few = 8;

function joinedTruth(settling: boolean, operands: readonly TruthOf[]): TruthOf {
  const [first, ...rest] = operands;
  if (first === undefined) return () => !settling;
  if (operands.length > few) return joinedInTurn(settling, operands);
  if (rest.length === 0) return first;
  const others = joinedTruth(settling, rest);
  return (data, work) => {
    const one = first(data, work);
    if (one === settling) return one;
    const other = others(data, work);
    return other === settling || one === !settling ? other : one;
  };
}

function joinedInTurn(settling: boolean, operands: readonly TruthOf[]): TruthOf {
  return (data, work) => {
    let joined: Truth = !settling;
    for (const operand of operands) {
      const truth = operand(data, work);
      if (truth === settling) return truth;
      if (joined === !settling) joined = truth;
    }
    return joined;
  };
}

/** `if` with an undecided condition: the value of both branches. */
function compileBranches(operands: readonly Evaluator[]): Evaluator {
  const [first, second, ...rest] = operands;
  if (first === undefined) return ofValues((_, work) => (isSpent(work) ? tooMuch : null));
  return stepped(branchesOf(first, second, rest));
}

function branchesOf(first: Evaluator, second: Evaluator | undefined, rest: readonly Evaluator[]): Evaluator {
  if (second === undefined) return first;
  const [third, fourth, ...others] = rest;
  const otherwise = third === undefined ? nothing : branchesOf(third, fourth, others);
  const ask = first.operand;
  const choose =
    <Found>([yes, no]: Ways<Found>, join: Join<Found>) =>
    (data: Json, work: Work): Found => {
      const question = ask(data, work);
      if (question === true) return yes(data, work);
      if (question === false) return no(data, work);
      const one = yes(data, work);
      return join(one, no(data, work), question);
    };
  return {
    value: choose([second.value, otherwise.value], sameValue),
    operand: choose([second.operand, otherwise.operand], sameTruth),
    condition: choose([second.condition, otherwise.condition], sameTruth),
    outcome: choose([second.outcome, otherwise.outcome], (one, other, question) => ({
      value: sameValue(one.value, other.value, question),
      operand: sameTruth(one.operand, other.operand, question),
    })),
  };
}

type Way<Found> = (data: Json, work: Work) => Found;
type Ways<Found> = readonly [Way<Found>, Way<Found>];
type Join<Found> = (one: Found, other: Found, question: Exclude<Truth, boolean>) => Found;

function sameValue(one: Value, other: Value, question: Exclude<Truth, boolean>): Value {
  const isSame = !(one instanceof Undecidable) && !(other instanceof Undecidable) && equalJson(one, other);
  return isSame ? one : new Undecidable(question.undecided);
}

function sameTruth(one: Truth, other: Truth, question: Exclude<Truth, boolean>): Truth {
  return typeof one === 'boolean' && one === other ? one : question;
}

/** The value of `if` without a remaining branch; it costs nothing. */
const nothing: Evaluator = ofValues(() => null);

function stepped({ value, operand, condition, outcome }: Evaluator): Evaluator {
  return {
    value: (data, work) => (isSpent(work) ? tooMuch : value(data, work)),
    operand: (data, work) => (isSpent(work) ? tooMuchTruth : operand(data, work)),
    condition: (data, work) => (isSpent(work) ? tooMuchTruth : condition(data, work)),
    outcome: (data, work) =>
      isSpent(work) ? { value: tooMuch, operand: tooMuchTruth } : outcome(data, work),
  };
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function isIn<T extends Operator>(list: readonly T[], operator: Operator): operator is T {
  return (list as readonly Operator[]).includes(operator);
}
