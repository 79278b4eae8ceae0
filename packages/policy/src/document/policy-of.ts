import type { CombinationMember, NonEmpty, Policy, Rule } from '@ambit/core';
import type {
  PolicyDocument,
  WrittenCombination,
  WrittenMember,
  WrittenNamedRule,
  WrittenPolicy,
  WrittenRule,
} from './document.js';
import { partsOf, ruleCondition } from './rule-condition.js';

export function policyOf(document: PolicyDocument): WrittenPolicy {
  const { name, rules, carries, admits } = document;
  const { decision, answer } = document.default;
  const policy: Policy = { name, default: { decision, answer }, rules: rules.map(toRule), carries, admits };
  return { ...policy, document };
}

/** Each object is made at once: a process of `decide` makes all of them for one call. */
function toRule(written: WrittenRule): Rule {
  const rule = written.about === 'combination' ? toCombination(written) : toNamed(written);
  return written.undecided === 'needs_approval' ? { ...rule, undecided: 'needs_approval' } : rule;
}

function toNamed(written: WrittenNamedRule): Rule {
  const { about, id, at, answer, reason, instead, inherit, observe, name, worker, decision } = written;
  const condition = ruleCondition(written);
  if (about === 'tool')
    return { about, id, at, answer, reason, instead, inherit, observe, name, worker, decision, condition };
  const { below } = written;
  return {
    about,
    below,
    id,
    at,
    answer,
    reason,
    instead,
    inherit,
    observe,
    name,
    worker,
    decision,
    condition,
  };
}

function toCombination(written: WrittenCombination): Rule {
  const { about, id, at, answer, reason, instead, inherit, observe, decision, worker, within, when } =
    written;
  const [first, ...others] = written.members;
  const members: NonEmpty<CombinationMember> = [toMember(first), ...others.map(toMember)];
  const condition = ruleCondition(partsOf({ when }));
  return {
    about,
    id,
    at,
    answer,
    reason,
    instead,
    inherit,
    observe,
    decision,
    worker,
    within,
    members,
    condition,
  };
}

function toMember({ name, match, except }: WrittenMember): CombinationMember {
  return { name, condition: ruleCondition(partsOf({ match, except })) };
}
