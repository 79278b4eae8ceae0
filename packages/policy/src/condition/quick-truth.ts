import type { CallView, Capability, Json } from '@ambit/core';
import { capabilityRoots, type Expression } from './expression.js';
import { usualValue } from './operators.js';

/** The truth of a condition of comparisons; null where the definition decides, such as for an absent fact. */
export type QuickTruth = (capability: Capability | null, call: CallView) => boolean | null;

/** With these limits a condition never reaches that on its work. */
const mostOperations = 100;
const longest = 1_000;

export function quickTruth(expression: Expression): QuickTruth {
  const quick = operationsIn(expression) > mostOperations ? null : quickOf(expression);
  return quick ?? (() => null);
}

function operationsIn(expression: Expression): number {
  if (expression.kind !== 'operation') return 0;
  return expression.operands.reduce((sum, operand) => sum + operationsIn(operand), 1);
}

/** Null for other operators. */
function quickOf(expression: Expression): QuickTruth | null {
  if (expression.kind !== 'operation') return null;
  const { operator, operands } = expression;
  if (operator === 'and' || operator === 'or') return ofJunction(operands, operator === 'or');
  const [first, second, third] = operands;
  if (operator === '!') {
    const inner = quickOf(first as Expression);
    if (inner === null) return null;
    return (capability, call) => {
      const truth = inner(capability, call);
      return truth === null ? null : !truth;
    };
  }
  if (first === undefined || second === undefined || third !== undefined) return null;
  const [one, other] = [readerOf(first), readerOf(second)];
  if (one === null || other === null) return null;
  return (capability, call) =>
    usualValue(operator, usual(one(capability, call)), usual(other(capability, call)));
}

function ofJunction(operands: readonly Expression[], settling: boolean): QuickTruth | null {
  const parts = operands.flatMap((operand) => quickOf(operand) ?? []);
  if (parts.length === 0 || parts.length < operands.length) return null;
  return (capability, call) => {
    for (const part of parts) {
      const truth = part(capability, call);
      if (truth === null || truth === settling) return truth;
    }
    return !settling;
  };
}

type Reader = (capability: Capability | null, call: CallView) => Json | undefined;

function readerOf(expression: Expression): Reader | null {
  if (expression.kind === 'literal') return () => expression.value;
  if (expression.kind === 'list') {
    const values = expression.items.map((item) => (item.kind === 'literal' ? item.value : undefined));
    return values.includes(undefined) ? null : () => values as readonly Json[];
  }
  if (expression.kind !== 'var') return null;
  const [root = '', name, deeper] = String(expression.key).split('.');
  if (name === undefined || deeper !== undefined || !capabilityRoots.includes(root)) return null;
  return (capability, call) => {
    const holder = root === 'capability' ? capability : call[root as keyof CallView];
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
    return (holder as Capability)[name];
  };
}

/** Undefined for values that the definition treats. */
function usual(value: Json | undefined): Json | undefined {
  const isLong = (typeof value === 'string' || Array.isArray(value)) && value.length > longest;
  return isLong ? undefined : value;
}
