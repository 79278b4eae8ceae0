import {
  type CallDecision,
  isAboutTool,
  isForChain,
  isNonEmpty,
  type Policy,
  type Request,
  type Rule,
} from '@ambit/core';
import { decidingOf } from './deciding.js';
import { judge } from './run-case.js';
import type { DescribedCase, Suite } from './suite.js';

export interface Coverage {
  readonly total: number;
  readonly matched: number;
  /** Rules without which some decision would change. */
  readonly decisive: number;
  readonly rules: readonly RuleCoverage[];
}

export interface RuleCoverage {
  readonly policy: string;
  readonly id: string;
  /** `file:line:column` */
  readonly at: string;
  readonly decision: Rule['decision'];
  /** Whether the rule is only observed, and cannot decide. */
  readonly observed: boolean;
  /** Cases in which the rule certainly applies. */
  readonly matched: number;
  /** Cases in which it is undecided whether the rule applies. */
  readonly undecided: number;
  /** Cases in which the decision, or who may answer it, would change without the rule. */
  readonly decisive: number;
}

type Counting = { -readonly [Key in keyof RuleCoverage]: RuleCoverage[Key] };

export function coverageOf(suites: readonly Suite[]): Coverage {
  // Rules by the real path of the file, because suites may name one policy in different ways.
  const counts = new Map<string, readonly Counting[]>();
  for (const suite of suites) {
    suite.files.forEach(({ path }, index) => {
      const policy = suite.policies[index];
      if (policy !== undefined && !counts.has(path))
        counts.set(path, policy.rules.map(countingOf(policy.name)));
    });
    for (const { subject } of suite.cases) if (subject.skipped === null) countCase(subject, suite, counts);
  }
  const rules = [...counts.values()].flat();
  const count = (part: 'matched' | 'decisive') => rules.filter((rule) => rule[part] > 0).length;
  return { total: rules.length, matched: count('matched'), decisive: count('decisive'), rules };
}

function countingOf(policy: string) {
  return ({ id, at, decision, observe }: Rule): Counting => ({
    policy,
    id,
    at,
    decision,
    observed: observe,
    matched: 0,
    undecided: 0,
    decisive: 0,
  });
}

function countCase(subject: DescribedCase, suite: Suite, counts: Map<string, readonly Counting[]>): void {
  const decision = judge(subject, suite.policies);
  suite.policies.forEach((policy, index) => {
    const counting = counts.get(suite.files[index]?.path ?? '') ?? [];
    const heard = heardIn(decision, policy);
    policy.rules.forEach((rule, at) => {
      const count = counting[at];
      if (count === undefined) return;
      const matched = heard.applied.has(rule.id) || grantsStanding(rule, subject.request);
      const undecided = !matched && heard.undecided.has(rule.id);
      if (matched) count.matched += 1;
      if (undecided) count.undecided += 1;
      if ((matched || undecided) && !rule.observe && isDecisive(rule, { policy, subject, suite, decision }))
        count.decisive += 1;
    });
  });
}

/** The rules that apply to a capability of a call, and those that are undecided for one. */
function heardIn(decision: CallDecision, { name }: Policy) {
  const judgements = decision.judgements.filter(({ policy }) => policy === name);
  return {
    applied: new Set(
      judgements.flatMap(({ rules, observed = [] }) => [...rules, ...observed].map(({ id }) => id)),
    ),
    undecided: new Set(judgements.flatMap((judgement) => judgement.undecided.map(({ id }) => id))),
  };
}

/** A judgement names a standing grant only if the grant answers it. */
function grantsStanding(rule: Rule, request: Request): boolean {
  return (
    rule.about === 'tool' &&
    rule.decision === 'pre_approved' &&
    isForChain(rule, request) &&
    isAboutTool(rule, request.tool) &&
    rule.condition(request) === true
  );
}

function isDecisive(
  rule: Rule,
  at: {
    readonly policy: Policy;
    readonly subject: DescribedCase;
    readonly suite: Suite;
    readonly decision: CallDecision;
  },
): boolean {
  const policies = at.suite.policies.map((policy) =>
    policy === at.policy ? { ...policy, rules: policy.rules.filter((other) => other !== rule) } : policy,
  );
  if (!isNonEmpty(policies)) return false;
  const without = judge(at.subject, policies);
  return (
    without.decision !== at.decision.decision ||
    decidingOf(without, policies).answer !== decidingOf(at.decision, at.suite.policies).answer
  );
}
