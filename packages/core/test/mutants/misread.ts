import type { Policy, Rule } from '../../src/index.js';
import { applies } from './broken.js';

export function onlyOne(
  rules: readonly Rule[],
  {
    capability,
    request,
  }: { capability: Parameters<typeof applies>[1]; request: Parameters<typeof applies>[2] },
  which: 'first' | 'last',
): readonly Rule[] {
  const applying = rules.filter((rule) => applies(rule, capability, request));
  return applying.slice(...(which === 'first' ? [0, 1] : [-1]));
}

export function decidedAs(rule: Rule, truth: boolean): Rule {
  const decided =
    <View>(condition: (view: View) => unknown) =>
    (view: View) => {
      const found = condition(view);
      return typeof found === 'boolean' ? found : truth;
    };
  switch (rule.about) {
    case 'capability':
      return { ...rule, condition: decided(rule.condition) };
    case 'tool':
      return { ...rule, condition: decided(rule.condition) };
    case 'combination': {
      const members = rule.members.map((member) => ({ ...member, condition: decided(member.condition) }));
      return {
        ...rule,
        members: members as unknown as typeof rule.members,
        condition: decided(rule.condition),
      };
    }
  }
}

export function isStandingGrant(rule: Rule): boolean {
  return rule.about === 'tool' && rule.decision === 'pre_approved';
}

/** A standing grant appears only in judgements that ask. A restriction in its place appears in all. */
export function asRestriction(rule: Rule): Rule {
  return { ...rule, decision: 'blocked', inherit: false };
}

export function withoutCarries<Policies extends readonly Policy[]>(policies: Policies): Policies {
  return policies.map((policy) => ({ ...policy, carries: [] })) as unknown as Policies;
}
