import { allTrue, anyTrue, isStricter } from '@ambit/core';
import type { WrittenCombination, WrittenMember, WrittenRule } from '@ambit/policy';
import { candidatesFor, isAtLeast, isLater, keepsWords, mayCompare, type RuleIndex } from './rule-index.js';

/** Null if there are none. */
export function combinationShadow(rule: WrittenCombination, index: RuleIndex): readonly WrittenRule[] | null {
  const { inquiry } = index;
  const restricts = (other: WrittenRule, member: WrittenMember) =>
    other.worker === null &&
    other.decision !== 'pre_approved' &&
    isAtLeast(other, rule) &&
    (isStricter(other.decision, rule.decision) || keepsWords(rule, other, index)) &&
    inquiry.isWithin(inquiry.memberRule(member), inquiry.ruleOf(other)) === true;
  const ofEach = rule.members.map((member) =>
    candidatesFor({ about: 'capability', name: member.name }, index).find(
      (other) => mayCompare(rule, other, index) && restricts(other, member),
    ),
  );
  const all = ofEach.filter((other) => other !== undefined);
  if (all.length === ofEach.length) return [...new Set(all)];
  const wider = index.combinations.find(
    (other) => other !== rule && mayCompare(rule, other, index) && isNeedlessBeside(rule, other, index),
  );
  return wider === undefined ? null : [wider];
}

function isNeedlessBeside(rule: WrittenCombination, other: WrittenCombination, index: RuleIndex): boolean {
  if (isCombinationWithin(rule, other, index) !== true) return false;
  if (isStricter(other.decision, rule.decision)) return true;
  if (!keepsWords(rule, other, index)) return false;
  const isMutual = isCombinationWithin(other, rule, index) !== false;
  return !isMutual || isLater(rule, other, index) || !keepsWords(other, rule, index);
}

/** Null if it is unknown. */
export function isCombinationWithin(
  inner: WrittenCombination,
  outer: WrittenCombination,
  { inquiry }: RuleIndex,
): boolean | null {
  if (!isAtLeast(outer, inner) || (outer.within === 'call' && inner.within === 'run')) return false;
  const isMemberWithin = (one: WrittenMember, other: WrittenMember) =>
    inquiry.isWithin(inquiry.memberRule(one), inquiry.memberRule(other));
  return allTrue([
    inquiry.isWhenWithin(inquiry.ruleOf(inner), inquiry.ruleOf(outer)),
    ...inner.members.map((one) => anyTrue(outer.members.map((wider) => isMemberWithin(one, wider)))),
    ...outer.members.map((wider) => anyTrue(inner.members.map((one) => isMemberWithin(one, wider)))),
  ]);
}
