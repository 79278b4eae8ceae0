import { decisions } from '@ambit/core';
import type { WrittenNamedRule } from '@ambit/policy';
import { heardSites, type Lint, standsForImplied } from '../subject/scope.js';
import { asksPerson, isWide, withAncestors } from './rule-index.js';

/** Rules that repeat the default. */
export const needlessRules: Lint = ({ file }, report) => {
  const sites = heardSites(file);
  const standard = file.policy.document.default;
  const rules = sites.map(({ rule }) => rule).filter((rule) => rule.about === 'capability');
  const loosest = loosestByName(rules as readonly WrittenNamedRule[]);
  for (const { rule, decision: span } of sites) {
    if (rule.about !== 'capability' || rule.decision !== standard.decision) continue;
    if (standsForImplied(file, rule)) continue;
    const isNeedless =
      rule.decision === 'pre_approved' ||
      (!isSaidOnPurpose(rule) &&
        rule.reason === null &&
        rule.instead === null &&
        asksPerson(rule) === (standard.answer === 'person' && standard.decision === 'needs_approval') &&
        !loosest(rule));
    if (!isNeedless) continue;
    const message = `this changes nothing: the default is ${rule.decision} too`;
    const help =
      rule.decision === 'pre_approved'
        ? 'remove it, or make the default stricter'
        : 'no other line loosens anything under this name; remove it, or give it a reason';
    report('NEEDLESS_RULE', span, { message, help });
  }
};

/** Authors repeat a default that asks on purpose: the rule stays when the default changes. */
function isSaidOnPurpose({ decision, match, except, when }: WrittenNamedRule): boolean {
  return decision === 'needs_approval' && match === null && except === null && when === null;
}

/** Whether a looser rule of the file may concern the same calls. */
function loosestByName(rules: readonly WrittenNamedRule[]): (rule: WrittenNamedRule) => boolean {
  const [under, wide] = [new Map<string, number>(), new Map<string, number>()];
  const note = (map: Map<string, number>, name: string, rank: number) =>
    map.set(name, Math.min(rank, map.get(name) ?? rank));
  for (const rule of rules) {
    for (const name of withAncestors(rule.name)) note(under, name, rankOf(rule));
    if (isWide(rule)) note(wide, rule.name, rankOf(rule));
  }
  return (rule) =>
    (under.get(rule.name) ?? 9) < rankOf(rule) ||
    withAncestors(rule.name).some((name) => (wide.get(name) ?? 9) < rankOf(rule));
}

function rankOf(rule: WrittenNamedRule): number {
  return decisions.indexOf(rule.decision) * 2 + (asksPerson(rule) ? 1 : 0);
}
