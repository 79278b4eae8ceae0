import {
  type CallView,
  type Capability,
  canonical,
  isCanonicalPath,
  type Json,
  negation,
  type Truth,
} from '@ambit/core';
import { isInBlock, parseBlock } from '../../condition/cidr.js';
import { absence, evaluateCondition, isWithinPath } from '../../condition/evaluate.js';
import type { Expression, Key } from '../../condition/expression.js';
import { seenBy } from '../../document/rule-condition.js';
import { nothing, readFact } from './facts.js';

/** Undefined where the plain evaluator has to decide. */
type Quick<Found> = (capability: Capability, call: CallView) => Found | undefined;
type QuickTruth = Quick<Truth>;
type Absent = Exclude<Truth, boolean>;

/** Found values: an object is the reason of a missing one. */
type Usual = string | number | boolean | null | readonly Json[];
type Operation = Extract<Expression, { readonly kind: 'operation' }>;

/** So little that a condition of usual values stays far from the end of its work. */
const [mostNodes, longestText, longestList] = [2_000, 4_096, 100];

/**
 * The usual expressions on usual values as closures. Everything else, and all that could run out of work, is
 * left to the plain evaluator.
 */
export function compileWhen(expression: Expression): (capability: Capability, call: CallView) => Truth {
  const plain = (capability: Capability, call: CallView): Truth =>
    evaluateCondition(
      expression,
      seenBy(capability === nothing ? call : { ...call, capability: canonical(capability) }),
    );
  const quick = sizeOf(expression) > mostNodes ? null : truthOf(expression);
  return quick === null ? plain : (capability, call) => quick(capability, call) ?? plain(capability, call);
}

function sizeOf(expression: Expression): number {
  const total = (list: readonly Expression[]) => list.reduce((sum, one) => sum + sizeOf(one), 1);
  if (expression.kind === 'operation') return total(expression.operands);
  if (expression.kind === 'list') return total(expression.items);
  if (expression.kind === 'literal') return isUsual(expression.value) ? 1 : mostNodes + 1;
  if (expression.kind === 'var') return expression.fallback === null ? 1 : 1 + sizeOf(expression.fallback);
  return 1 + expression.keys.length;
}

/** The truth of an expression that is true, false or undecided wherever it stands; null for others. */
function truthOf(expression: Expression): QuickTruth | null {
  if (expression.kind === 'var') {
    const value = usualOf(expression);
    return value && ((capability, call) => asTruth(value(capability, call)));
  }
  if (expression.kind === 'literal') {
    const { value } = expression;
    return typeof value === 'boolean' ? () => value : null;
  }
  if (expression.kind !== 'operation') return null;
  const { operator, operands } = expression;
  if (operator === 'and' || operator === 'or') return junction(operator === 'or', operands);
  if (operator === '!' || operator === '!!') {
    const operand = operandOf(operands[0] as Expression);
    if (operand === null || operator === '!!') return operand;
    return (capability, call) => {
      const truth = operand(capability, call);
      return truth === undefined ? undefined : negation(truth);
    };
  }
  return comparison(expression);
}

/** The truth of an operand of `and`, `or`, `!` and `!!`: there, a list of missing keys is one too. */
function operandOf(expression: Expression): QuickTruth | null {
  if (expression.kind !== 'missing') return truthOf(expression);
  const finds = expression.keys.map(find);
  const all = finds.flatMap((one) => one ?? []);
  if (all.length < finds.length) return null;
  return (capability, call) => {
    const values = all.map((one) => one(capability, call));
    if (values.some((value) => value !== undefined && !isUsual(value))) return undefined;
    return values.some((value) => value === undefined || value === null || value === '');
  };
}

function junction(settling: boolean, operands: readonly Expression[]): QuickTruth | null {
  const tests = operands.flatMap((operand) => operandOf(operand) ?? []);
  if (tests.length < operands.length) return null;
  return (capability, call) => {
    let joined: Truth = !settling;
    for (const test of tests) {
      const truth = test(capability, call);
      if (truth === undefined || truth === settling) return truth;
      if (joined === !settling) joined = truth;
    }
    return joined;
  };
}

function comparison({ operator, operands }: Operation): QuickTruth | null {
  const [one, other] = operands;
  const [first, second] = [one && usualOf(one), other && usualOf(other)];
  if (!first || !second || !other || operands.length !== 2) return null;
  const compare = constantly(operator, other) ?? comparing[operator];
  if (compare === undefined) return null;
  return (capability, call) => {
    const left = first(capability, call);
    if (left === undefined || isAbsent(left)) return left;
    const right = second(capability, call);
    return right === undefined || isAbsent(right) ? right : compare(left, right);
  };
}

type Compare = (one: Usual, other: Usual) => boolean | undefined;

const isSame: Compare = (one, other) =>
  typeof one === typeof other && typeof one !== 'object' ? one === other : undefined;
const isOther: Compare = (one, other) =>
  typeof one === typeof other && typeof one !== 'object' ? one !== other : undefined;
const numeric =
  (holds: (one: number, other: number) => boolean): Compare =>
  (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? holds(one, other) : undefined;

const comparing: Readonly<Partial<Record<string, Compare>>> = {
  '==': isSame,
  '===': isSame,
  '!=': isOther,
  '!==': isOther,
  '<': numeric((one, other) => one < other),
  '<=': numeric((one, other) => one <= other),
  '>': numeric((one, other) => one > other),
  '>=': numeric((one, other) => one >= other),
  in: (one, other) => {
    if (typeof other === 'string' && typeof one === 'string') return other !== '' && other.includes(one);
    return Array.isArray(other) && typeof one !== 'object' ? other.includes(one) : undefined;
  },
};

/** With a literal list, block or folder, which is prepared once. */
function constantly(operator: string, other: Expression): Compare | undefined {
  if (operator === 'in' && other.kind === 'list') {
    const items = new Set<Json>(constantsOf(other));
    return (one) => (typeof one === 'object' ? undefined : items.has(one));
  }
  if (other.kind !== 'literal' || typeof other.value !== 'string') return undefined;
  const { value } = other;
  if (operator === 'cidr') {
    const block = parseBlock(value);
    return (one) =>
      block === null || typeof one !== 'string' ? undefined : (isInBlock(one, block) ?? undefined);
  }
  if (operator !== 'under' || !isCanonicalPath(value)) return undefined;
  const below = value === '/' ? '/' : `${value}/`;
  return (one) =>
    typeof one === 'string' && isCanonicalPath(one) ? one === value || one.startsWith(below) : undefined;
}

/** The value of a literal, a list of literals, a fact; null for others. */
function usualOf(expression: Expression): Quick<Usual | Absent> | null {
  if (expression.kind === 'literal' || expression.kind === 'list') {
    const value = expression.kind === 'literal' ? expression.value : constantsOf(expression);
    return value === null && expression.kind === 'list' ? null : () => value;
  }
  if (expression.kind === 'var') {
    const read = find(expression.key);
    if (read === null || (expression.fallback !== null && expression.fallback.kind !== 'literal'))
      return null;
    const absent =
      expression.fallback === null
        ? Object.freeze({ undecided: absence(expression.key, false) })
        : expression.fallback.value;
    return (capability, call) => {
      const value = read(capability, call);
      return value === undefined ? absent : isUsual(value) ? value : undefined;
    };
  }
  return null;
}

/** Null where one of them is no literal. */
function constantsOf(expression: Expression): readonly Json[] | null {
  if (expression.kind !== 'list') return null;
  const values = expression.items.flatMap((item) => (item.kind === 'literal' ? [item.value] : []));
  return values.length < expression.items.length ? null : values;
}

/** Reads a key of two words, or a word of the call; null for others. */
function find(key: Key): Quick<Json> | null {
  const [root = '', name, ...more] = String(key).split('.');
  if (more.length > 0 || isWithinPath(key)) return null;
  if (name === undefined) {
    if (root === 'tool' || root === 'toolset' || root === 'worker' || root === 'chain')
      return (_, call) => call[root];
    return null;
  }
  if (root === 'capability') {
    const read = readFact(name);
    return (capability) => (capability === nothing ? undefined : read(capability));
  }
  if (root !== 'args' && root !== 'context') return null;
  return (_, call) => {
    const value = call[root][name];
    return value !== undefined && Object.hasOwn(call[root], name) ? value : undefined;
  };
}

function asTruth(value: Usual | Absent | undefined): Truth | undefined {
  return typeof value === 'boolean' || (value !== undefined && isAbsent(value)) ? value : undefined;
}

function isAbsent(value: Usual | Absent): value is Absent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isUsual(value: Json): value is Usual {
  if (typeof value === 'string') return value.length <= longestText;
  return typeof value !== 'object' || value === null || (Array.isArray(value) && value.length <= longestList);
}
