import { isStricter, remembered, toolsetOf } from '@ambit/core';
import type { Match, WrittenCombination, WrittenNamedRule, WrittenRule } from '@ambit/policy';
import type { Inquiry } from '../subject/inquiry.js';

export interface RuleIndex {
  readonly byName: ReadonlyMap<string, readonly WrittenNamedRule[]>;
  readonly combinations: readonly WrittenCombination[];
  readonly order: ReadonlyMap<WrittenRule, number>;
  readonly inquiry: Inquiry;
  /** The remaining comparisons. */
  readonly work: { left: number };
}

/** The most rules of one name that are compared. */
const mostOfOneName = 500;

/** The most comparisons for one file. */
const mostWork = 3_000_000;

export function indexRules(rules: readonly WrittenRule[], inquiry: Inquiry): RuleIndex {
  const byName = new Map<string, WrittenNamedRule[]>();
  for (const rule of rules) {
    if (rule.about === 'combination') continue;
    const list = remembered(byName, keyOf(rule.about, rule.name), () => []);
    if (list.length < mostOfOneName) list.push(rule);
  }
  return {
    byName,
    combinations: rules.filter((rule) => rule.about === 'combination').slice(0, mostOfOneName),
    order: new Map(rules.map((rule, index) => [rule, index])),
    inquiry,
    work: { left: mostWork },
  };
}

/** Rules of its name and of all names above it. */
export function candidatesFor(
  { about, name }: Pick<WrittenNamedRule, 'about' | 'name'>,
  { byName, work }: RuleIndex,
): readonly WrittenNamedRule[] {
  if (work.left <= 0) return [];
  const names = about === 'tool' ? [...new Set([name, `${toolsetOf(name)}.*`])] : withAncestors(name);
  return names.flatMap((each) => byName.get(keyOf(about, each)) ?? []);
}

/** Uses up the remaining work. */
export function mayCompare(one: WrittenRule, other: WrittenRule, { work }: RuleIndex): boolean {
  if (work.left <= 0) return false;
  work.left -= 1 + Math.ceil((sizeOfRule(one) * sizeOfRule(other)) / 1024);
  return true;
}

function sizeOfRule(rule: WrittenRule): number {
  return rule.about === 'combination'
    ? rule.members.reduce((sum, { match, except }) => sum + 16 + sizeOf(match) + sizeOf(except), 0)
    : sizeOf(rule.match) + sizeOf(rule.except);
}

function sizeOf(match: Match | null): number {
  if (match === null) return 0;
  return remembered(sizes, match, () => {
    const patterns = match.flatMap((each) => each.patterns);
    return patterns.reduce((sum, each) => sum + (each.kind === 'glob' ? each.glob.text.length : 1), 0);
  });
}

const sizes = new WeakMap<Match, number>();

/** `fs.write.outside`, `fs.write`, `fs` */
export function withAncestors(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}

function keyOf(about: WrittenNamedRule['about'], name: string): string {
  return `${about} ${name}`;
}

/** Whether people would read the same words without the rule. */
export function keepsWords(rule: WrittenRule, other: WrittenRule, index: RuleIndex): boolean {
  return (['reason', 'instead'] as const).every(
    (key) => rule[key] === null || (other[key] !== null && isLater(rule, other, index)),
  );
}

export function isLater(rule: WrittenRule, other: WrittenRule, { order }: RuleIndex): boolean {
  return (order.get(rule) ?? 0) > (order.get(other) ?? 0);
}

/** Whether another rule applies as certainly and as strictly wherever this one may. Null if unknown. */
export function isSaidBy(
  inner: WrittenNamedRule,
  outer: WrittenNamedRule,
  { inquiry }: RuleIndex,
): boolean | null {
  if (!isAtLeast(outer, inner)) return false;
  return inquiry.isWithin(inquiry.ruleOf(inner), inquiry.ruleOf(outer));
}

/** Where both apply, and where both are undecided. */
export function isAtLeast(one: WrittenRule, other: WrittenRule): boolean {
  return (
    !isStricter(other.decision, one.decision) &&
    !(isAsStrict(one, other) && asksPerson(other) && !asksPerson(one)) &&
    !(
      one.undecided === 'needs_approval' &&
      other.decision !== 'pre_approved' &&
      other.undecided !== 'needs_approval'
    )
  );
}

export function isAsStrict(one: WrittenRule, other: WrittenRule): boolean {
  return one.decision === other.decision;
}

export function asksPerson({ decision, answer }: WrittenRule): boolean {
  return decision === 'needs_approval' && answer === 'person';
}

/** Whether a rule also concerns the names under its own. */
export function isWide({ decision, below }: WrittenNamedRule): boolean {
  return below || decision !== 'pre_approved';
}
