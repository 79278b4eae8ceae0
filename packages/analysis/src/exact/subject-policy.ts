import {
  always,
  builtIn,
  type CombinationRule,
  type Condition,
  type Policy,
  type Rule,
  rulesOf,
} from '@ambit/core';
import type { WrittenMember } from '@ambit/policy';
import { partsBehind, partsOf, type RuleParts } from '@ambit/policy/internal';

/** A rule with the parts of its condition. Observed rules decide nothing and are left out. */
export interface AnalysedRule extends RuleParts {
  readonly rule: Rule;
  readonly members: readonly AnalysedMember[];
}

export type AnalysedMember = Pick<WrittenMember, 'name' | 'match' | 'except'>;

export interface AnalysedPolicy {
  readonly policy: Policy;
  readonly rules: readonly AnalysedRule[];
}

/** The built-in policy first. The others are from files. */
export function analysedPolicies(policies: readonly Policy[]): readonly AnalysedPolicy[] {
  return [builtIn, ...policies].map((policy) => ({
    policy,
    rules: rulesOf(policy).flatMap((rule) => (rule.observe ? [] : [analysedRule(rule)])),
  }));
}

export function analysedRule(rule: Rule): AnalysedRule {
  const members = rule.about === 'combination' ? rule.members : [];
  return {
    rule,
    ...partsIn(rule.condition),
    members: members.map(({ name, condition }) => ({ name, ...partsIn(condition) })),
  };
}

function partsIn(condition: Condition<never>): RuleParts {
  const parts = condition === always ? partsOf({}) : partsBehind(condition);
  if (parts === null) throw new Error('a condition was not read from a file');
  return parts;
}

/** The policies with only those rules. */
export function keeping(
  policies: readonly AnalysedPolicy[],
  isKept: (rule: AnalysedRule) => boolean,
): readonly AnalysedPolicy[] {
  return policies.map((policy) => ({ ...policy, rules: policy.rules.filter(isKept) }));
}

export function isCombination(
  analysedRule: AnalysedRule,
): analysedRule is AnalysedRule & { readonly rule: CombinationRule } {
  return analysedRule.rule.about === 'combination';
}
