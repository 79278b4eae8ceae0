import { equalJson, isStricter, isWithin } from '@ambit/core';
import type { WrittenCombination, WrittenMember, WrittenNamedRule, WrittenRule } from '@ambit/policy';
import { candidatesFor, isLater, keepsWords, mayCompare, type RuleIndex } from './rule-index.js';
import { asksPerson, isConditionWithin, isUnsureBeside, partsFor } from './rule-relations.js';

/** Rules that together always restrict what a combination restricts, at least as much; null where there are none. */
export function combinationShadow(rule: WrittenCombination, index: RuleIndex): readonly WrittenRule[] | null {
  const ofEach = rule.members.map((member) =>
    candidatesFor({ about: 'capability', name: member.name }, index).find(
      (other) => mayCompare(rule, other, index) && restrictsMember(other, member, { rule, index }),
    ),
  );
  const all = ofEach.filter((other) => other !== undefined);
  if (all.length === ofEach.length) return [...new Set(all)];
  const wider = index.combinations.find(
    (other) => other !== rule && mayCompare(rule, other, index) && isNeedlessBeside(rule, other, index),
  );
  return wider === undefined ? null : [wider];
}

function restrictsMember(
  other: WrittenNamedRule,
  member: WrittenMember,
  { rule, index }: { readonly rule: WrittenCombination; readonly index: RuleIndex },
): boolean {
  return (
    other.worker === null &&
    other.decision !== 'pre_approved' &&
    isAtLeast(other, rule) &&
    (isStricter(other.decision, rule.decision) || keepsWords(rule, other, index)) &&
    isWithin(member.name, other.name) &&
    isConditionWithin(partsFor(member), partsFor(other))
  );
}

function isNeedlessBeside(rule: WrittenCombination, other: WrittenCombination, index: RuleIndex): boolean {
  if (!isCombinationWithin(rule, other)) return false;
  if (isStricter(other.decision, rule.decision)) return true;
  if (!keepsWords(rule, other, index)) return false;
  const isMutual = isCombinationWithin(other, rule);
  return !isMutual || isLater(rule, other, index) || !keepsWords(other, rule, index);
}

/** Whether a combination restricts whatever another does, at least as certainly and as much. */
export function isCombinationWithin(inner: WrittenCombination, outer: WrittenCombination): boolean {
  return (
    isAtLeast(outer, inner) &&
    (outer.within === 'run' || inner.within === 'call') &&
    (outer.when === null || (inner.when !== null && equalJson(outer.when.json, inner.when.json))) &&
    inner.members.every((member) => outer.members.some((wider) => isMemberWithin(member, wider))) &&
    outer.members.every((wider) => inner.members.some((member) => isMemberWithin(member, wider)))
  );
}

function isMemberWithin(inner: WrittenMember, outer: WrittenMember): boolean {
  return isWithin(inner.name, outer.name) && isConditionWithin(partsFor(inner), partsFor(outer));
}

function isAtLeast(one: WrittenRule, other: WrittenRule): boolean {
  return (
    !isStricter(other.decision, one.decision) &&
    !(one.decision === other.decision && asksPerson(other) && !asksPerson(one)) &&
    !isUnsureBeside(one, other)
  );
}
