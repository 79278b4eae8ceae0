import {
  type CallView,
  type Capability,
  isCanonicalPath,
  type Json,
  type JsonObject,
  type Truth,
} from '@ambit/core';
import { isInBlock, parseBlock } from '../../condition/cidr.js';
import { absence, evaluateCondition, isWithinPath } from '../../condition/evaluate.js';
import type { Expression, Key } from '../../condition/expression.js';
import { seenBy } from '../../document/rule-condition.js';

/** The truth of a condition for a canonical capability, or none, and its call. */
export type Test = (capability: Capability | null, call: CallView) => Truth;

/** A value, an object with the reason why there is none, or undefined if the plain evaluator must decide. */
type Quick = (capability: Capability | null, call: CallView) => Usual | Absent | undefined;
type Usual = string | number | boolean | null | readonly Json[];
type Absent = Exclude<Truth, boolean>;
type Operation = (one: Usual, other: Usual) => boolean | number | undefined;

/** A limit so low that a condition on typical values never reaches its work limit. */
const [mostNodes, longestText, longestList] = [2_000, 4_096, 100];

/** Compiles common expressions for common values. The plain evaluator handles all others. */
export function compileWhen(expression: Expression): Test {
  const quick = sizeOf(expression) > mostNodes ? null : compile(expression);
  return (capability, call) => {
    const found = quick?.(capability, call);
    if (typeof found === 'boolean' || (found !== undefined && isAbsent(found))) return found;
    return evaluateCondition(expression, seenBy(capability === null ? call : { ...call, capability }));
  };
}

function sizeOf(expression: Expression): number {
  const total = (list: readonly Expression[]) => list.reduce((sum, one) => sum + sizeOf(one), 1);
  if (expression.kind === 'operation') return total(expression.operands);
  if (expression.kind === 'list') return total(expression.items);
  if (expression.kind === 'literal') return isUsual(expression.value) ? 1 : mostNodes + 1;
  if (expression.kind === 'var') return expression.fallback === null ? 1 : 1 + sizeOf(expression.fallback);
  return 1 + expression.keys.length;
}

/** Null if the plain evaluator must always decide. */
function compile(expression: Expression): Quick | null {
  if (expression.kind === 'literal') return () => expression.value;
  if (expression.kind === 'list') {
    const items = constantsOf(expression);
    return items && (() => items);
  }
  if (expression.kind === 'var') return compileVar(expression.key, expression.fallback);
  if (expression.kind !== 'operation') return null;
  const { operator, operands } = expression;
  const parts = operands.flatMap((operand) => compile(operand) ?? []);
  const [one, other, third] = parts;
  if (one === undefined || parts.length < operands.length) return null;
  if (operator === 'and' || operator === 'or') return junction(operator === 'or', parts);
  if (operator === '!' || operator === '!!') return mapTruth(one, (truth) => truth === (operator === '!!'));
  if (other === undefined || parts.length > 3) return null;
  if (third !== undefined) return operator === 'if' ? choice(one, other, third) : null;
  const apply = constantly(operator, operands[1] as Expression) ?? operations[operator];
  if (apply === undefined) return null;
  return (capability, call) => {
    const left = one(capability, call);
    if (left === undefined || isAbsent(left)) return left;
    const right = other(capability, call);
    return right === undefined || isAbsent(right) ? right : apply(left, right);
  };
}

function compileVar(key: Key, fallback: Expression | null): Quick | null {
  const find = read(key);
  if (find === null || (fallback !== null && fallback.kind !== 'literal')) return null;
  const absent = fallback === null ? Object.freeze({ undecided: absence(key, false) }) : fallback.value;
  return (capability, call) => {
    const value = find(capability, call);
    return value === undefined ? absent : isUsual(value) ? value : undefined;
  };
}

function mapTruth(operand: Quick, map: (truth: boolean) => boolean): Quick {
  return (capability, call) => {
    const found = operand(capability, call);
    if (typeof found === 'boolean') return map(found);
    return found !== undefined && isAbsent(found) ? found : undefined;
  };
}

/** If all operands are truths, so is the value. An operand after an undecided one does not settle it. */
function junction(settling: boolean, operands: readonly Quick[]): Quick {
  return (capability, call) => {
    let absent: Absent | null = null;
    for (const operand of operands) {
      const found = operand(capability, call);
      if (found === settling) return absent === null ? settling : undefined;
      if (found === undefined || (typeof found !== 'boolean' && !isAbsent(found))) return undefined;
      if (typeof found !== 'boolean') absent ??= found;
    }
    return absent ?? !settling;
  };
}

function choice(question: Quick, yes: Quick, no: Quick): Quick {
  return (capability, call) => {
    const truth = question(capability, call);
    if (typeof truth !== 'boolean') return undefined;
    return truth ? yes(capability, call) : no(capability, call);
  };
}

const kindred = (apply: (one: Usual, other: Usual) => boolean): Operation => {
  return (one, other) =>
    typeof one === typeof other && typeof one !== 'object' ? apply(one, other) : undefined;
};
const numeric = (apply: (one: number, other: number) => boolean | number): Operation => {
  return (one, other) => {
    const value = typeof one === 'number' && typeof other === 'number' ? apply(one, other) : undefined;
    return typeof value !== 'number' || Number.isFinite(value) ? value : undefined;
  };
};
const [isSame, isOther] = [kindred((one, other) => one === other), kindred((one, other) => one !== other)];

const operations: Readonly<Partial<Record<string, Operation>>> = {
  '==': isSame,
  '===': isSame,
  '!=': isOther,
  '!==': isOther,
  '<': numeric((one, other) => one < other),
  '<=': numeric((one, other) => one <= other),
  '>': numeric((one, other) => one > other),
  '>=': numeric((one, other) => one >= other),
  '+': numeric((one, other) => one + other),
  '-': numeric((one, other) => one - other),
  '*': numeric((one, other) => one * other),
  '/': numeric((one, other) => one / other),
  '%': numeric((one, other) => one % other),
  min: numeric(Math.min),
  max: numeric(Math.max),
  in: (one, other) => {
    if (typeof other === 'string' && typeof one === 'string') return other !== '' && other.includes(one);
    return Array.isArray(other) && typeof one !== 'object' ? other.includes(one) : undefined;
  },
};

/** Handles a literal list, address block or folder, which is prepared once. */
function constantly(operator: string, other: Expression): Operation | undefined {
  if (operator === 'in' && other.kind === 'list') {
    const items = new Set<Json>(constantsOf(other));
    return (one) => (typeof one === 'object' ? undefined : items.has(one));
  }
  if (other.kind !== 'literal' || typeof other.value !== 'string') return undefined;
  const { value } = other;
  const block = operator === 'cidr' ? parseBlock(value) : null;
  if (block !== null)
    return (one) => (typeof one === 'string' ? (isInBlock(one, block) ?? undefined) : undefined);
  if (operator !== 'under' || !isCanonicalPath(value)) return undefined;
  const below = value === '/' ? '/' : `${value}/`;
  return (one) =>
    typeof one === 'string' && isCanonicalPath(one) ? one === value || one.startsWith(below) : undefined;
}

/** Null if one of the operands is not a literal. */
function constantsOf(expression: Expression & { readonly kind: 'list' }): readonly Json[] | null {
  const values = expression.items.flatMap((item) => (item.kind === 'literal' ? [item.value] : []));
  return values.length < expression.items.length ? null : values;
}

/** Reads a key of two words, or a word of the call; null for others. */
function read(key: Key): ((capability: Capability | null, call: CallView) => Json | undefined) | null {
  const [root = '', name, ...more] = String(key).split('.');
  if (more.length > 0 || isWithinPath(key)) return null;
  if (name === undefined) {
    if (root === 'tool' || root === 'toolset' || root === 'worker' || root === 'chain')
      return (_, call) => call[root];
    return null;
  }
  const own = (facts: JsonObject | Capability | null) =>
    facts !== null && Object.hasOwn(facts, name) ? facts[name] : undefined;
  if (root === 'capability') return (capability) => own(capability);
  return root === 'args' || root === 'context' ? (_, call) => own(call[root]) : null;
}

function isAbsent(value: Usual | Absent): value is Absent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isUsual(value: Json): value is Usual {
  if (typeof value === 'string') return value.length <= longestText;
  return typeof value !== 'object' || value === null || (Array.isArray(value) && value.length <= longestList);
}
