import type { Policy, Rule } from '@ambit/core';

/**
 * A policy is read once, so a later change would be ignored. Frozen, it throws. A condition's own state
 * belongs to its author: a condition must be a pure function.
 */
export function freezePolicy(policy: Policy): void {
  for (const rule of policy.rules) freezeRule(rule);
  Object.freeze(policy.rules);
  for (const carried of policy.carries) {
    freezeData(carried.capability);
    Object.freeze(carried);
  }
  Object.freeze(policy.carries);
  Object.freeze(policy.default);
  Object.freeze(policy);
}

function freezeRule(rule: Rule): void {
  if (rule.about === 'combination') {
    for (const member of rule.members) Object.freeze(member);
    Object.freeze(rule.members);
  }
  Object.freeze(rule);
}

function freezeData(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freezeData(item);
}
