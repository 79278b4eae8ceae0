import type { Expression } from '@ambit/policy';
import { evaluateCondition } from '@ambit/policy/internal';

/** A comparison of one variable with something that is written out. */
interface Comparison {
  readonly key: string;
  readonly expression: Expression;
}

type Literal = Extract<Expression, { kind: 'literal' }>;

/** Whether no value of a variable makes all of these true: `x < 5` and `x > 10`, `x == "a"` and `x == "b"`. */
export function isContradiction(operands: readonly Expression[]): boolean {
  const byKey = new Map<string, Comparison[]>();
  for (const comparison of operands.flatMap(comparisonsIn)) {
    const alike = byKey.get(comparison.key);
    if (alike === undefined) byKey.set(comparison.key, [comparison]);
    else alike.push(comparison);
  }
  return [...byKey.values()].some(cannotAllHold);
}

function comparisonsIn(expression: Expression): readonly Comparison[] {
  if (expression.kind !== 'operation') return [];
  if (expression.operator === 'and') return expression.operands.flatMap(comparisonsIn);
  const [one, other, ...rest] = expression.operands;
  if (one === undefined || other === undefined || rest.length > 0) return [];
  const variable = [one, other].find((operand) => operand.kind === 'var');
  const constant = variable === one ? other : one;
  if (variable?.kind !== 'var' || variable.fallback !== null || !isWrittenOut(constant)) return [];
  return [{ key: String(variable.key), expression }];
}

function isWrittenOut(expression: Expression): boolean {
  return (
    expression.kind === 'literal' || (expression.kind === 'list' && expression.items.every(isWrittenOut))
  );
}

function cannotAllHold(comparisons: readonly Comparison[]): boolean {
  const listed = comparisons.map(({ expression }) => valuesOf(expression)).find((values) => values !== null);
  if (listed !== undefined && listed !== null)
    return (
      listed.length * comparisons.length <= mostPairs &&
      listed.every((value) =>
        comparisons.some(
          ({ expression, key }) => evaluateCondition(putIn(expression, key, value), {}) !== true,
        ),
      )
    );
  const bounds = comparisons.flatMap(({ expression }) => boundOf(expression));
  const [low, high] = [tightest(bounds, 'low'), tightest(bounds, 'high')];
  if (low === null || high === null) return false;
  return low.at > high.at || (low.at === high.at && (low.isOpen || high.isOpen));
}

/** More than anybody writes into one condition. */
const mostPairs = 1_000_000;

/** The bound of one side that leaves the least. */
function tightest(bounds: readonly Bound[], side: Bound['side']): Bound | null {
  let found: Bound | null = null;
  for (const bound of bounds) {
    if (bound.side !== side) continue;
    const further = found === null ? 1 : (bound.at - found.at) * (side === 'low' ? 1 : -1);
    if (further > 0 || (further === 0 && bound.isOpen)) found = bound;
  }
  return found;
}

/** The only values that a variable can have where the comparison is true. */
function valuesOf(expression: Expression): readonly Literal[] | null {
  if (expression.kind !== 'operation') return null;
  const [one, other] = expression.operands;
  if (expression.operator === '==' || expression.operator === '===') {
    const literal = [one, other].find((operand) => operand?.kind === 'literal');
    return literal?.kind === 'literal' ? [literal] : null;
  }
  if (expression.operator !== 'in' || one?.kind !== 'var' || other?.kind !== 'list') return null;
  return other.items.every((item) => item.kind === 'literal') ? (other.items as readonly Literal[]) : null;
}

function putIn(expression: Expression, key: string, value: Literal): Expression {
  if (expression.kind === 'var') return String(expression.key) === key ? value : expression;
  if (expression.kind !== 'operation') return expression;
  return { ...expression, operands: expression.operands.map((operand) => putIn(operand, key, value)) };
}

interface Bound {
  readonly side: 'low' | 'high';
  readonly at: number;
  readonly isOpen: boolean;
}

function boundOf(expression: Expression): readonly Bound[] {
  if (expression.kind !== 'operation') return [];
  const { operator, operands } = expression;
  if (operator !== '<' && operator !== '<=' && operator !== '>' && operator !== '>=') return [];
  const [one, other] = operands;
  const literal = [one, other].find((operand) => operand?.kind === 'literal');
  if (literal?.kind !== 'literal' || typeof literal.value !== 'number') return [];
  const isTurned = literal === one;
  const isLess = operator.startsWith('<') !== isTurned;
  return [{ side: isLess ? 'high' : 'low', at: literal.value, isOpen: !operator.endsWith('=') }];
}
