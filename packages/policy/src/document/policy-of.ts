import type { CombinationMember, Policy, Rule } from '@ambit/core';
import type { PolicyDocument, WrittenMember, WrittenPolicy, WrittenRule } from './document.js';
import { partsOf, ruleCondition } from './rule-condition.js';

export function policyOf(document: PolicyDocument): WrittenPolicy {
  const { name, rules, carries, admits } = document;
  const { decision, answer } = document.default;
  const policy: Policy = { name, default: { decision, answer }, rules: rules.map(toRule), carries, admits };
  return { ...policy, document };
}

function toRule(written: WrittenRule): Rule {
  const { id, at, answer, reason, instead, inherit, observe } = written;
  const asks = written.undecided === 'needs_approval' ? ({ undecided: 'needs_approval' } as const) : {};
  const common = { id, at, answer, reason, instead, inherit, observe, ...asks };
  if (written.about === 'combination') {
    const { about, decision, worker, members, within, when } = written;
    const [first, ...others] = members;
    return {
      about,
      ...common,
      decision,
      worker,
      within,
      members: [toMember(first), ...others.map(toMember)],
      condition: ruleCondition(partsOf({ when })),
    };
  }
  const { about, name, worker, decision, below } = written;
  const named = { ...common, name, worker, decision, condition: ruleCondition(written) };
  return about === 'tool' ? { about, ...named } : { about, below, ...named };
}

function toMember({ name, match, except }: WrittenMember): CombinationMember {
  return { name, condition: ruleCondition(partsOf({ match, except })) };
}
