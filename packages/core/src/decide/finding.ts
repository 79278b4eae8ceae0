import type { Capability } from '../words/capability.js';
import { decisions, strictest } from '../words/decision.js';
import { replacesDefault } from './concerns.js';
import { isUndecided, type Truth } from './condition.js';
import type { Judgement, RuleReference, UndecidedRule } from './judgement.js';
import type { Policy } from './policy.js';
import { asksIfUndecided, isStandingGrant, type Rule } from './rule.js';

export interface Finding {
  readonly judgement: Judgement;
  /** In order. */
  readonly deciding: readonly Rule[];
}

/** A rule that concerns a capability of a call, and whether its condition holds there. */
export interface Weighed {
  readonly rule: Rule;
  readonly truth: Truth;
}

/** By all rules that concern the capability, in order. */
export function findingOf(
  policy: Policy,
  concerned: readonly Weighed[],
  { index, worker }: { readonly index: number; readonly worker: string },
): Finding {
  const heard = concerned.filter(({ rule }) => !rule.observe);
  const observed = concerned.filter(({ rule, truth }) => rule.observe && truth !== false);
  const grants = heard.filter(({ rule, truth }) => isStandingGrant(rule) && truth === true);
  const said = heard
    .filter(({ rule, truth }) => !isStandingGrant(rule) && truth !== false)
    .map(({ rule, truth }) => ({ rule, truth, ...saying(rule, truth) }));
  const certain = said.filter(({ truth }) => truth === true);
  const isDefault = !certain.some(({ rule }) => replacesDefault(rule, worker));
  // An undecided rule counts if it is stricter than the others, which is the maximum.
  const decision = strictest([
    isDefault ? policy.default.decision : 'pre_approved',
    ...said.map((rule) => rule.decision),
  ]);
  const deciding = said.filter((rule) => rule.decision === decision);
  const wantsPerson =
    deciding.some((rule) => rule.answer === 'person') ||
    (isDefault && policy.default.decision === decision && policy.default.answer === 'person');
  const answer = decision !== 'needs_approval' ? null : wantsPerson ? 'person' : 'any';
  const grant = answer === 'any' ? grants[0]?.rule : undefined;
  const judgement: Judgement = {
    capability: index,
    policy: policy.name,
    decision,
    default: isDefault,
    rules: certain.map(({ rule }) => reference(rule)),
    undecided: said.flatMap(({ rule, truth }) =>
      isUndecided(truth) ? [undecidedReference(rule, truth.undecided)] : [],
    ),
    ...(observed.length === 0 ? {} : { observed: observed.map(({ rule }) => reference(rule)) }),
    answer,
    answered_by: grant === undefined ? null : { by: 'rule', id: grant.id, at: grant.at },
  };
  return { judgement, deciding: deciding.map(({ rule }) => rule) };
}

/** The first of the strictest. */
export function findingOfSet(findings: readonly Finding[], members: readonly Capability[]): Finding {
  const levels = findings.map(({ judgement }) => strictnessOf(judgement));
  const top = levels.reduce((one, other) => Math.max(one, other));
  const first = levels.indexOf(top);
  const finding = findings[first] as Finding;
  const { path } = members[first] as Capability;
  const count = levels.filter((level) => level === top).length;
  const member = { path: typeof path === 'string' ? path : null, count, of: members.length };
  const { capability, ...rest } = finding.judgement;
  return { ...finding, judgement: { capability, member, ...rest } };
}

/** Orders judgements: by decision, then by who may answer, then by whether they are answered. */
function strictnessOf({ decision, answer, answered_by }: Judgement): number {
  const who = answer === 'person' ? 2 : 0;
  return decisions.indexOf(decision) * 4 + who + (answered_by === null ? 1 : 0);
}

/** An undecided block with `undecided: needs_approval` asks a person. */
function saying(rule: Rule, truth: Truth): Pick<Rule, 'decision' | 'answer'> {
  if (isUndecided(truth) && asksIfUndecided(rule)) return { decision: 'needs_approval', answer: 'person' };
  return { decision: rule.decision, answer: rule.answer };
}

function reference(rule: Rule): RuleReference {
  return { id: rule.id, at: rule.at, decision: rule.decision };
}

function undecidedReference(rule: Rule, why: string): UndecidedRule {
  const { id, at, decision } = reference(rule);
  return asksIfUndecided(rule)
    ? { id, at, decision: 'needs_approval', rule_decision: 'blocked', why }
    : { id, at, decision, why };
}
