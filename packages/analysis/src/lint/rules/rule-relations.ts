import { isStricter } from '@ambit/core';
import type { WrittenNamedRule, WrittenRule } from '@ambit/policy';
import type { RuleIndex } from './rule-index.js';

/** Whether another rule applies as certainly and as strictly wherever this one may. Null if unknown. */
export function isSaidBy(
  inner: WrittenNamedRule,
  outer: WrittenNamedRule,
  { inquiry }: RuleIndex,
): boolean | null {
  if (!isAtLeast(outer, inner)) return false;
  return inquiry.isWithin(inquiry.ruleOf(inner), inquiry.ruleOf(outer));
}

/** Where both apply, and where both are undecided. */
export function isAtLeast(one: WrittenRule, other: WrittenRule): boolean {
  return (
    !isStricter(other.decision, one.decision) &&
    !(isAsStrict(one, other) && asksPerson(other) && !asksPerson(one)) &&
    !(asks(one) && other.decision !== 'pre_approved' && !asks(other))
  );
}

export function isAsStrict(one: WrittenRule, other: WrittenRule): boolean {
  return one.decision === other.decision;
}

/** Whether a block only asks where it is undecided. */
function asks({ undecided }: WrittenRule): boolean {
  return undecided === 'needs_approval';
}

export function asksPerson({ decision, answer }: WrittenRule): boolean {
  return decision === 'needs_approval' && answer === 'person';
}

/** Whether a rule also concerns the names under its own. */
export function isWide({ decision, below }: WrittenNamedRule): boolean {
  return below || decision !== 'pre_approved';
}
