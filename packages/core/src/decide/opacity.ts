import { always } from './condition.js';
import { builtIn, type Policy } from './policy.js';
import { type CapabilityRule, isRestriction, type Rule } from './rule.js';

/** The capability that stands for everything unknown about a program. */
export const opaque = 'proc.exec.opaque';

/** Whether a capability stands for what is unknown about a program. */
export function isOpaque(name: string): boolean {
  return name === opaque || name.startsWith(`${opaque}.`);
}

/** The implied rule of a permissive policy that restricts something: an opaque program could do that. */
export const impliedRule: CapabilityRule = Object.freeze({
  about: 'capability',
  name: opaque,
  below: false,
  id: 'implied.proc.exec.opaque',
  at: 'implied',
  decision: 'needs_approval',
  answer: 'any',
  worker: null,
  inherit: true,
  observe: false,
  condition: always,
  reason: 'what this program does is unknown, and it could do what this policy restricts',
  instead: null,
});

/** Whether a policy judges opaque programs by the implied rule. */
export function impliesOpacity(policy: Policy): boolean {
  if (policy === builtIn || policy.default.decision !== 'pre_approved') return false;
  const heard = policy.rules.filter((rule) => !rule.observe);
  return heard.some(isRestriction) && !heard.some(isAboutOpacity);
}

/** With the implied one. */
export function rulesOf(policy: Policy): readonly Rule[] {
  return impliesOpacity(policy) ? [...policy.rules, impliedRule] : policy.rules;
}

function isAboutOpacity(rule: Rule): boolean {
  return rule.about === 'capability' && rule.name === opaque;
}
