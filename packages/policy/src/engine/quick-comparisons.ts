import type { Json, Truth } from '@ambit/core';
import type { Operator } from '../expression.js';
import type { Find } from './compile-key.js';
import { type Constant, type TruthOf, tooMuchTruth } from './evaluator.js';

/** The truth where the kinds are the usual ones; undefined for others. */
type Test = (value: Json) => boolean | undefined;

/** What is compared with something written out, for the kinds that are usual. Null where none is. */
const testOf: Readonly<Partial<Record<Operator, (constant: Json) => Test | null>>> = {
  '==': isSame,
  '===': isSame,
  '!=': isOther,
  '!==': isOther,
  '<': (most) =>
    typeof most === 'number' ? (value) => (typeof value === 'number' ? value < most : undefined) : null,
  '<=': (most) =>
    typeof most === 'number' ? (value) => (typeof value === 'number' ? value <= most : undefined) : null,
  '>': (least) =>
    typeof least === 'number' ? (value) => (typeof value === 'number' ? value > least : undefined) : null,
  '>=': (least) =>
    typeof least === 'number' ? (value) => (typeof value === 'number' ? value >= least : undefined) : null,
  in: (list) =>
    Array.isArray(list) ? (value) => (typeof value === 'object' ? undefined : list.includes(value)) : null,
};

/** Work that is so plenty that a comparison need not count it step by step. */
const plenty = 1_000;

/** A fact compared with something written out: most of what conditions are made of. Null where it is left to `slow`. */
export function quickComparison(
  operator: Operator,
  { find, absent, constant }: { readonly find: Find; readonly absent: Truth; readonly constant: Constant },
  slow: TruthOf,
): TruthOf | null {
  const test = testOf[operator]?.(constant.value) ?? null;
  if (test === null) return null;
  const [steps, cost] = [2 + constant.steps, costOf(constant.value)];
  return (data, work) => {
    if (work.left < plenty) return slow(data, work);
    const value = find(data);
    if (value === undefined) {
      work.left -= 2;
      return absent;
    }
    const truth = test(value);
    if (truth === undefined) return slow(data, work);
    work.left = work.left - steps - (1 + costOf(value) + cost);
    return work.left < 0 ? tooMuchTruth : truth;
  };
}

function isSame(constant: Json): Test | null {
  if (typeof constant === 'object') return null;
  const kind = typeof constant;
  return (value) => (typeof value === kind ? value === constant : undefined);
}

function isOther(constant: Json): Test | null {
  if (typeof constant === 'object') return null;
  const kind = typeof constant;
  return (value) => (typeof value === kind ? value !== constant : undefined);
}

function costOf(value: Json): number {
  if (typeof value === 'string') return value.length / 50;
  return typeof value === 'object' && Array.isArray(value) ? value.length : 1;
}
