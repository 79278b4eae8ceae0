import {
  both,
  either,
  equalJson,
  isUndecided,
  isUnknownMember,
  type Json,
  negation,
  type Truth,
} from '@ambit/core';
import { type Expression, isOverList, type Key, type ListOperator } from './expression.js';
import { kindOf } from './match.js';
import { applyCidr, applyOperator, applyUnder, costOf, step, Undecidable, UnknownPath } from './operators.js';

/** Steps of one condition; more leave it undecided. */
const mostWork = 1_000_000 * step;

const tooMuchWork = 'the condition is too much work';

/** What an expression has for `data`: its value as json-logic-js computes it, and its truth as a condition. Total. */
export function evaluate(expression: Expression, data: Json): Outcome {
  return outcomeOf(expression, { data, isElement: false, work: { left: mostWork } });
}

interface Scope {
  readonly data: Json;
  /** Whether `data` is an element of a list. */
  readonly isElement: boolean;
  readonly work: { left: number };
}

interface Outcome {
  /** As a value, such as an operand of a comparison; or why there is none. */
  readonly value: Json | Undecidable;
  /** As an operand of `and`, `or`, `!`, `!!` and `if`: a list is true if it is not empty. */
  readonly operand: Truth;
  /** As a whole condition: undecided where the value is neither true nor false. */
  readonly condition: Truth;
}

/** Most values are read in one way only. */
class OfValue implements Outcome {
  constructor(readonly value: Json | Undecidable) {}

  get operand(): Truth {
    return Array.isArray(this.value) ? this.value.length > 0 : truthOfValue(this.value);
  }

  get condition(): Truth {
    return truthOfValue(this.value);
  }
}

function ofTruth(truth: Truth): Outcome {
  const value = isUndecided(truth) ? new Undecidable(truth.undecided) : truth;
  return { value, operand: truth, condition: truth };
}

function outcomeOf(expression: Expression, scope: Scope): Outcome {
  scope.work.left -= step;
  if (scope.work.left < 0) return new OfValue(new Undecidable(tooMuchWork));
  if (expression.kind !== 'operation') return new OfValue(plainValueOf(expression, scope));
  const { operator, operands } = expression;
  if (operator === 'and' || operator === 'or') return ofJunction(operator, operands, scope);
  if (operator === 'if') return ofBranches(operands, scope);
  if (isOverList(operator)) return ofTruth(truthOfEach(operator, operands, scope));
  if (operator === '!' || operator === '!!') {
    const { operand } = outcomeOf(operands[0] as Expression, scope);
    return ofTruth(operator === '!' ? negation(operand) : operand);
  }
  if (operator === 'under') return new OfValue(underOf(operands, scope));
  const values = valuesOf(operands, scope);
  if (values instanceof Undecidable) return new OfValue(values);
  scope.work.left -= costOf(values);
  if (scope.work.left < 0) return new OfValue(new Undecidable(tooMuchWork));
  return new OfValue(operator === 'cidr' ? applyCidr(values) : applyOperator(operator, values));
}

/** The truth of a whole condition: only true is true, and only false is false. */
function truthOfValue(value: Json | Undecidable): Truth {
  if (typeof value === 'boolean') return value;
  if (value instanceof Undecidable) return { undecided: value.why };
  return { undecided: `a value that is neither true nor false: ${kindOf(value)}` };
}

function ofJunction(operator: 'and' | 'or', operands: readonly Expression[], scope: Scope): Outcome {
  const settling = operator === 'or';
  const outcomes: Outcome[] = [];
  for (const operand of operands) {
    const outcome = outcomeOf(operand, scope);
    outcomes.push(outcome);
    if (outcome.operand === settling) break;
  }
  return new OfJunction(outcomes, settling);
}

class OfJunction implements Outcome {
  readonly condition: Truth;

  constructor(
    readonly outcomes: readonly Outcome[],
    readonly settling: boolean,
  ) {
    const truths = outcomes.map(({ operand }) => operand);
    this.condition = settling ? either(truths) : both(truths);
  }

  get operand(): Truth {
    return this.condition;
  }

  /** The operand that settles `and` or `or`; otherwise the last one. */
  get value(): Json | Undecidable {
    if (isUndecided(this.condition)) return new Undecidable(this.condition.undecided);
    const values = this.outcomes.map(({ value }) => value);
    const isSettling = (value: Json | Undecidable) =>
      value instanceof Undecidable || isTruthy(value) === this.settling;
    const settled = values.find(isSettling);
    return settled === undefined ? (values.at(-1) ?? null) : settled;
  }
}

/** The result is also decided if the test is undecided and both branches lead to the same result. */
function ofBranches(operands: readonly Expression[], scope: Scope): Outcome {
  const [first, second, ...rest] = operands;
  if (first === undefined) return new OfValue(null);
  if (second === undefined) return outcomeOf(first, scope);
  const question = outcomeOf(first, scope).operand;
  if (question === true) return outcomeOf(second, scope);
  if (question === false) return ofBranches(rest, scope);
  const [one, other] = [outcomeOf(second, scope), ofBranches(rest, scope)];
  const isSameValue =
    !(one.value instanceof Undecidable) &&
    !(other.value instanceof Undecidable) &&
    equalJson(one.value, other.value);
  return {
    value: isSameValue ? one.value : new Undecidable(question.undecided),
    operand: one.operand === other.operand ? one.operand : question,
    condition: one.condition === other.condition ? one.condition : question,
  };
}

/** The only operator that may decide about an unknown path. */
function underOf(operands: readonly Expression[], scope: Scope): Json | Undecidable {
  const [path, folder] = operands as readonly [Expression, Expression];
  const subject = outcomeOf(path, scope).value;
  if (subject instanceof Undecidable && !(subject instanceof UnknownPath)) return subject;
  const range = outcomeOf(folder, scope).value;
  if (range instanceof Undecidable) return range;
  scope.work.left -= costOf(subject instanceof UnknownPath ? [range] : [subject, range]);
  if (scope.work.left < 0) return new Undecidable(tooMuchWork);
  return applyUnder(subject, range);
}

function truthOfEach(operator: ListOperator, operands: readonly Expression[], scope: Scope): Truth {
  const [list, test] = operands as readonly [Expression, Expression];
  const items = outcomeOf(list, scope).value;
  if (items instanceof Undecidable) return { undecided: items.why };
  if (!Array.isArray(items)) return { undecided: `\`${operator}\` needs a list` };
  if (items.length === 0) return operator === 'none';
  const truths = (items as readonly Json[]).map(
    (data) => outcomeOf(test, { data, isElement: true, work: scope.work }).operand,
  );
  if (operator === 'all') return both(truths);
  return operator === 'some' ? either(truths) : negation(either(truths));
}

function plainValueOf(
  expression: Exclude<Expression, { kind: 'operation' }>,
  scope: Scope,
): Json | Undecidable {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'list':
      return valuesOf(expression.items, scope);
    case 'var': {
      const unknown = scope.isElement ? null : unknownAt(expression.key, scope.data);
      if (unknown !== null) return unknown;
      const found = lookUp(expression.key, scope.data);
      if (found !== undefined) return found;
      return expression.fallback === null
        ? new Undecidable(absence(expression.key, scope.isElement))
        : outcomeOf(expression.fallback, scope).value;
    }
    case 'missing':
      return missing(expression.keys, scope);
    case 'missing_some': {
      const absent = missing(expression.keys, scope);
      if (absent instanceof Undecidable) return absent;
      return expression.keys.length - absent.length >= expression.need ? [] : absent;
    }
  }
}

function valuesOf(expressions: readonly Expression[], scope: Scope): readonly Json[] | Undecidable {
  const values: Json[] = [];
  for (const expression of expressions) {
    const { value } = outcomeOf(expression, scope);
    if (value instanceof Undecidable) return value;
    values.push(value);
  }
  return values;
}

function missing(keys: readonly Key[], scope: Scope): readonly Json[] | Undecidable {
  scope.work.left -= keys.length * step;
  const unknown = scope.isElement ? null : unknownWithin(keys, scope.data);
  if (unknown !== null) return unknown;
  return keys.filter((key) => {
    const value = lookUp(key, scope.data);
    return value === undefined || value === null || value === '';
  });
}

/** Reads own properties only: "constructor" in a call is data. */
function lookUp(key: Key, data: Json): Json | undefined {
  if (key === '') return data;
  let value: Json = data;
  for (const part of partsOf(key)) {
    if (value === null || !Object.hasOwn(Object(value) as object, part)) return undefined;
    value = (value as unknown as Record<string, Json>)[part] as Json;
  }
  return value;
}

/** Conditions of policies have few keys. */
const knownParts = new Map<Key, readonly string[]>();
const mostKnown = 4_096;

function partsOf(key: Key): readonly string[] {
  const known = knownParts.get(key);
  if (known !== undefined) return known;
  const parts = String(key).split('.');
  if (knownParts.size < mostKnown) knownParts.set(key, parts);
  return parts;
}

/** The stand-in for a value that depends on an unknown member's path; null for others. */
function unknownAt(key: Key, data: Json): Undecidable | null {
  if (key !== 'capability' && key !== pathKey && !isWithinPath(key)) return null;
  const path = lookUp(pathKey, data);
  if (!isUnknownMember(path)) return null;
  const unknown = new UnknownPath(path.under ?? null);
  return key === pathKey ? unknown : new Undecidable(unknown.why);
}

/** An unknown path is present; a value within it, such as `capability.path.9`, is unknown. */
function unknownWithin(keys: readonly Key[], data: Json): Undecidable | null {
  const key = keys.find(isWithinPath);
  return key === undefined ? null : unknownAt(key, data);
}

const [pathKey, withinPath] = ['capability.path', 'capability.path.'];

/** Whether a key reads a property of the path, such as its length. */
function isWithinPath(key: Key): boolean {
  return typeof key === 'string' && key.startsWith(withinPath);
}

function absence(key: Key, isElement: boolean): string {
  if (isElement) return `no \`${key}\` in the element`;
  const [root, ...rest] = String(key).split('.');
  const path = rest.join('.');
  if (root === 'capability') return `no fact \`${path}\``;
  if (root === 'args') return `no argument \`${path}\``;
  if (root === 'context') return path === '' ? 'no context' : `no \`${path}\` in the context`;
  return `no \`${key}\``;
}

function isTruthy(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
