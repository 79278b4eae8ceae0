import { equalJson, isStricter, isWithin, toolsetOf } from '@ambit/core';
import type { WrittenNamedRule, WrittenRule } from '@ambit/policy';
import { partsOf, type RuleParts } from '@ambit/policy/internal';
import { isMatchWithin } from './match-relations.js';

/**
 * Whether a condition is at most as true as another, undecided being between false and true. Where this says no, that may
 * still be so.
 */
export function isConditionWithin(inner: RuleParts, outer: RuleParts): boolean {
  return (
    isMatchWithin(inner.match, outer.match) &&
    // An exception is turned round: what the wider rule excepts, the narrower one has to except too.
    (outer.except === null || (inner.except !== null && isMatchWithin(outer.except, inner.except))) &&
    (outer.when === null || (inner.when !== null && equalJson(inner.when.json, outer.when.json))) &&
    (outer.until === null || (inner.until !== null && inner.until <= outer.until))
  );
}

/** Whether a rule speaks about every capability of every call that another speaks about, its condition aside. */
export function isHeardWith(inner: WrittenNamedRule, outer: WrittenNamedRule): boolean {
  return (
    inner.about === outer.about &&
    (inner.about === 'tool' ? isToolWithin(inner.name, outer.name) : isNameWithin(inner, outer)) &&
    isForAllOf(inner, outer)
  );
}

/** What one rule says, another says too: wherever the first may apply, the second does at least as certainly, and is as strict. */
export function isSaidBy(inner: WrittenNamedRule, outer: WrittenNamedRule): boolean {
  return (
    !isStricter(inner.decision, outer.decision) &&
    !(isAsStrict(inner, outer) && asksPerson(inner) && !asksPerson(outer)) &&
    !isUnsureBeside(outer, inner) &&
    isHeardWith(inner, outer) &&
    isConditionWithin(partsFor(inner), partsFor(outer))
  );
}

export function partsFor(rule: Partial<RuleParts>): RuleParts {
  return { ...partsOf(rule), until: rule.until ?? null };
}

export function isAsStrict(one: WrittenRule, other: WrittenRule): boolean {
  return one.decision === other.decision;
}

/** Whether a block only asks where it is undecided, and a restriction beside it is not one of that kind. */
export function isUnsureBeside(block: WrittenRule, other: WrittenRule): boolean {
  return asks(block) && other.decision !== 'pre_approved' && !asks(other);
}

function asks({ undecided }: WrittenRule): boolean {
  return undecided === 'needs_approval';
}

export function asksPerson({ decision, answer }: WrittenRule): boolean {
  return decision === 'needs_approval' && answer === 'person';
}

/** Whether a rule speaks about what is under its name, too. */
export function isWide({ decision, below }: WrittenNamedRule): boolean {
  return below || decision !== 'pre_approved';
}

function isNameWithin(inner: WrittenNamedRule, outer: WrittenNamedRule): boolean {
  return isWide(outer) ? isWithin(inner.name, outer.name) : !isWide(inner) && inner.name === outer.name;
}

function isToolWithin(inner: string, outer: string): boolean {
  return inner === outer || outer === `${toolsetOf(inner)}.*`;
}

function isForAllOf(inner: WrittenNamedRule, outer: WrittenNamedRule): boolean {
  if (outer.worker === null) return true;
  if (outer.worker !== inner.worker) return false;
  // A permission is for the acting worker, and so is what is not inherited.
  if (inner.decision === 'pre_approved') return true;
  return outer.decision !== 'pre_approved' && (outer.inherit || !inner.inherit);
}
