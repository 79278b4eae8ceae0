import { isUndecided, type Truth } from '@ambit/core';
import type { Expression } from '@ambit/policy';
import { evaluateCondition, valueOperators } from '@ambit/policy/internal';
import { isContradiction } from './contradiction.js';

/** Which truths a condition may come to, over all calls. What is left out is impossible; what is in may be. */
export interface PossibleTruths {
  readonly isTrue: boolean;
  readonly isFalse: boolean;
  readonly isUndecided: boolean;
}

const anything: PossibleTruths = { isTrue: true, isFalse: true, isUndecided: true };
const undecided: PossibleTruths = { isTrue: false, isFalse: false, isUndecided: true };

/** Of a whole condition. */
export function possibleTruths(expression: Expression): PossibleTruths {
  if (isConstant(expression)) return only(evaluateCondition(expression, {}));
  if (!isTruthLike(expression)) return undecided;
  return expression.kind === 'operation' && expression.operator === 'if' ? anything : ofOperand(expression);
}

/** Where it stands under `and`, `or`, `!` or `!!`: a list is true when something is in it. */
function ofOperand(expression: Expression): PossibleTruths {
  if (isConstant(expression))
    return only(evaluateCondition({ kind: 'operation', operator: '!!', operands: [expression] }, {}));
  if (expression.kind !== 'operation') return anything;
  const { operator, operands } = expression;
  const first = operands[0];
  if (operator === '!!' && first !== undefined) return ofOperand(first);
  if (operator === '!' && first !== undefined) {
    const of = ofOperand(first);
    return { ...of, isTrue: of.isFalse, isFalse: of.isTrue };
  }
  if (operator === 'and') {
    const of = operands.map(ofOperand);
    return {
      isTrue: of.every(({ isTrue }) => isTrue) && !isContradiction(operands),
      isFalse: of.some(({ isFalse }) => isFalse),
      isUndecided: true,
    };
  }
  if (operator === 'or') {
    const of = operands.map(ofOperand);
    // What comes first settles it, whatever stands behind.
    if (of[0]?.isTrue && !of[0].isFalse && !of[0].isUndecided) return of[0];
    return {
      isTrue: of.some(({ isTrue }) => isTrue),
      isFalse: of.every(({ isFalse }) => isFalse),
      isUndecided: true,
    };
  }
  return anything;
}

/** Whether a value can be true or false at all: a sum, a text or a list never is. */
function isTruthLike(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'boolean';
    case 'var':
      return true;
    case 'list':
    case 'missing':
    case 'missing_some':
      return false;
    case 'operation':
      return !notTruths.includes(expression.operator);
  }
}

const comparing = ['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in'];
const notTruths: readonly string[] = valueOperators.filter((operator) => !comparing.includes(operator));

/** Whether it is the same for every call. */
export function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
      return true;
    case 'list':
      return expression.items.every(isConstant);
    case 'operation':
      // Within `all`, `some` and `none` a variable is an element; a list that is written out is seldom enough.
      return expression.operands.every(isConstant);
    case 'var':
    case 'missing':
    case 'missing_some':
      return false;
  }
}

function only(truth: Truth): PossibleTruths {
  return { isTrue: truth === true, isFalse: truth === false, isUndecided: isUndecided(truth) };
}
