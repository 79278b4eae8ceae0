import { type CombinationRule, isStandingGrant } from '@ambit/core';
import { carriedSlots } from '../exact/policy-formula.js';
import { type AnalysedPolicy, type AnalysedRule, isCombination, keeping } from '../exact/subject-policy.js';
import { contentOf } from './edit.js';

export type AnalysedCombination = AnalysedRule & { readonly rule: CombinationRule };

/** A combination that only one set has, or that differs. */
export interface CombinationChange {
  readonly combination: AnalysedCombination;
  /** The new set with the changed combinations up to this one, and without it. */
  readonly upTo: readonly AnalysedPolicy[];
  readonly before: readonly AnalysedPolicy[];
}

/** The combinations of several capabilities that may change decisions. */
export function changedCombinations(
  sets: { readonly old: readonly AnalysedPolicy[]; readonly now: readonly AnalysedPolicy[] },
  tool: string,
): readonly CombinationChange[] {
  const { old, now } = sets;
  const isSameCarried = JSON.stringify(carriedSlots(old, tool)) === JSON.stringify(carriedSlots(now, tool));
  const changesOf = (set: 'old' | 'now', others: readonly AnalysedPolicy[]) => {
    const standing = new Set(
      others.flatMap((policy) => combinationsOf(policy).map((rule) => contentInPolicy(rule, policy))),
    );
    const changed = sets[set].flatMap((policy) =>
      combinationsOf(policy).filter((rule) => !isSameCarried || !standing.has(contentInPolicy(rule, policy))),
    );
    const without = (left: readonly AnalysedRule[]) => keeping(sets[set], (rule) => !left.includes(rule));
    return changed.map((combination, index) => ({
      combination,
      upTo: without(changed.slice(index + 1)),
      before: without(changed.slice(index)),
    }));
  };
  const all = [...changesOf('old', now), ...changesOf('now', old)];
  // Changes of single capabilities are found in their own situations.
  return all.filter(({ combination }) => combination.members.length > 1);
}

export function combinationsOf({ rules }: AnalysedPolicy): readonly AnalysedCombination[] {
  return rules.filter(isCombination);
}

function contentInPolicy(rule: AnalysedRule, { policy, rules }: AnalysedPolicy): string {
  const grants = rules
    .filter((each) => isStandingGrant(each.rule))
    .map(contentOf)
    .sort();
  return JSON.stringify([contentOf(rule), policy.admits, grants]);
}
