import type { NonEmpty, Policy, Rule, Truth } from '../../src/index.js';
import type { Case } from '../arbitrary/case.js';

/** The case with one more rule: `place` says in which policy, and where in it. */
export function withRule(given: Case, rule: Rule, place: number): Case {
  const target = place % given.policies.length;
  const policies = given.policies.map((policy, index) =>
    index === target ? { ...policy, rules: inserted(policy.rules, rule, place) } : policy,
  ) as unknown as NonEmpty<Policy>;
  return { ...given, policies };
}

export function changedRule(rule: Rule, condition: () => Truth): Rule {
  return { ...rule, condition };
}

function inserted(rules: readonly Rule[], rule: Rule, place: number): readonly Rule[] {
  const at = place % (rules.length + 1);
  return [...rules.slice(0, at), rule, ...rules.slice(at)];
}
