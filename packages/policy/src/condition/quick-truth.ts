import { type CallView, type Capability, type Json, type JsonObject, ownMember } from '@ambit/core';
import { capabilityRoots, type Expression } from './expression.js';
import { usualValue } from './operators.js';

/** The truth of a usual condition; null where the definition decides, such as for an absent fact. */
export type QuickTruth = (capability: Capability | null, call: CallView) => boolean | null;

/** With these limits a condition never reaches the limit on its work. */
const mostParts = 1_000;
const longest = 1_000;

export function quickTruth(expression: Expression): QuickTruth {
  const value = partsIn(expression) > mostParts ? null : readerOf(expression);
  if (value === null) return () => null;
  return (capability, call) => {
    const truth = value(capability, call);
    return typeof truth === 'boolean' ? truth : null;
  };
}

function partsIn(expression: Expression): number {
  if (expression.kind !== 'operation') return 1;
  return expression.operands.reduce((sum, operand) => sum + partsIn(operand), 1);
}

/** The value of an expression; undefined where the definition decides. */
type Reader = (capability: Capability | null, call: CallView) => Json | undefined;

/** Null for other expressions. */
function readerOf(expression: Expression): Reader | null {
  if (expression.kind === 'literal') return () => expression.value;
  if (expression.kind === 'list') {
    const values = expression.items.map((item) => (item.kind === 'literal' ? item.value : undefined));
    return values.includes(undefined) ? null : () => values as readonly Json[];
  }
  if (expression.kind === 'operation') return readerOfOperation(expression);
  if (expression.kind !== 'var') return null;
  const [root = '', name, deeper] = String(expression.key).split('.');
  if (name === undefined || deeper !== undefined || !capabilityRoots.includes(root)) return null;
  if (root === 'capability')
    return (capability) => (capability === null ? undefined : ownMember(capability, name));
  return (_, call) => ownMember(Object(call[root as keyof CallView]) as JsonObject, name);
}

function readerOfOperation({ operator, operands }: Expression & { kind: 'operation' }): Reader | null {
  const parts = operands.flatMap((operand) => readerOf(operand) ?? []);
  if (parts.length < operands.length) return null;
  if (operator === 'and' || operator === 'or') return ofJunction(parts, operator === 'or');
  if (operator === 'if') return ofBranches(parts);
  if (operator === '!') return ofBranches([...parts, () => false, () => true]);
  const [one, other, third] = parts;
  if (one === undefined || other === undefined || third !== undefined) return null;
  return (capability, call) =>
    usualValue(operator, usual(one(capability, call)), usual(other(capability, call))) ?? undefined;
}

function ofJunction(parts: readonly Reader[], settling: boolean): Reader {
  return (capability, call) => {
    for (const part of parts) {
      const value = part(capability, call);
      if (typeof value !== 'boolean') return undefined;
      if (value === settling) return value;
    }
    return !settling;
  };
}

function ofBranches(parts: readonly Reader[]): Reader {
  return (capability, call) => {
    for (let at = 0; at < parts.length; at += 2) {
      const value = parts[at]?.(capability, call);
      if (at === parts.length - 1) return value;
      if (typeof value !== 'boolean') return undefined;
      if (value) return parts[at + 1]?.(capability, call);
    }
    return undefined;
  };
}

/** Undefined for values that the definition treats. */
function usual(value: Json | undefined): Json | undefined {
  const isLong = (typeof value === 'string' || Array.isArray(value)) && value.length > longest;
  return isLong ? undefined : value;
}
