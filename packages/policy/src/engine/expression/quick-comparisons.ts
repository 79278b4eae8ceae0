import type { Json, Truth } from '@ambit/core';
import type { Operator } from '../../condition/expression.js';
import { costOfOne, step } from '../../condition/operators.js';
import type { Find } from './compile-key.js';
import { type Constant, type TruthOf, tooMuchTruth } from './evaluator.js';

/** The truth where the kinds are the usual ones; undefined for others. */
type Test = (value: Json) => boolean | undefined;

/** The comparison with a literal, for the usual kinds. Null for none. */
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
  in: isAmong,
};

/** Work that is so plenty that a comparison need not count it step by step. */
const plenty = 1_000 * step;

/** A fact compared with a literal: most of the work of conditions. Null if it is left to `slow`. */
export function quickComparison(
  operator: Operator,
  { find, absent, constant }: { readonly find: Find; readonly absent: Truth; readonly constant: Constant },
  slow: TruthOf,
): TruthOf | null {
  const test = testOf[operator]?.(constant.value) ?? null;
  if (test === null) return null;
  const known = (3 + constant.steps) * step + costOfOne(constant.value);
  return (data, work) => {
    if (work.left < plenty) return slow(data, work);
    const value = find(data);
    if (value === undefined) {
      work.left -= 2 * step;
      return absent;
    }
    const truth = test(value);
    if (truth === undefined) return slow(data, work);
    work.left -= known + costOfOne(value);
    return work.left < 0 ? tooMuchTruth : truth;
  };
}

function isSame(constant: Json): Test | null {
  if (typeof constant === 'object') return null;
  const kind = typeof constant;
  return (value) => (typeof value === kind ? value === constant : undefined);
}

function isAmong(list: Json): Test | null {
  if (!Array.isArray(list)) return null;
  const items = new Set<Json>(list);
  return (value) => (typeof value === 'object' ? undefined : items.has(value));
}

function isOther(constant: Json): Test | null {
  if (typeof constant === 'object') return null;
  const kind = typeof constant;
  return (value) => (typeof value === kind ? value !== constant : undefined);
}
