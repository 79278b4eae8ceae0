import {
  type AnsweredBy,
  type DecidingMember,
  type Decision,
  isUndecided,
  type Judgement,
  type RuleReference,
  type Truth,
  type UndecidedRule,
} from '@ambit/core';
import type { Candidate } from './candidate.js';
import { decisionOf, type Rank } from './rank.js';
import { type Concern, hasSay, saidRank, settledRank, type Weighing } from './weigh.js';

/** A judgement without its capability, and the words of the deciding rules. */
export interface Finding {
  readonly layer: number;
  readonly rank: Rank;
  /** The same, where a question that is answered counts as permitted. */
  readonly settled: Rank;
  readonly policy: string;
  readonly decision: Decision;
  readonly isDefault: boolean;
  readonly rules: readonly RuleReference[];
  readonly undecided: readonly UndecidedRule[];
  readonly observed: readonly RuleReference[] | null;
  readonly answer: Judgement['answer'];
  readonly answered_by: AnsweredBy | null;
  readonly reason: Words | null;
  readonly instead: Words | null;
}

/** The decision of a deciding rule, and its place in its policy. */
export interface Words {
  readonly place: number;
  readonly text: string | null;
}

export function findingOf(
  { layer, candidates, index }: Concern,
  truths: readonly Truth[],
  weighing: Weighing,
): Finding {
  const { rank, isDefault, answer, grant } = weighing;
  const rules: RuleReference[] = [];
  const undecided: UndecidedRule[] = [];
  const observed: RuleReference[] = [];
  const deciding: Candidate[] = [];
  candidates.forEach((candidate, at) => {
    const truth = truths[at];
    if (truth === undefined || truth === false) return;
    if (candidate.rule.observe) observed.push(candidate.reference);
    if (!hasSay(candidate, truth)) return;
    if (saidRank(candidate, truth) === rank) deciding.push(candidate);
    if (isUndecided(truth)) undecided.push(undecidedReference(candidate, truth.undecided));
    else rules.push(candidate.reference);
  });
  return {
    layer,
    rank,
    settled: settledRank(weighing),
    policy: index.policy.name,
    decision: decisionOf(rank),
    isDefault,
    rules: rules.length === 0 ? none : rules,
    undecided: undecided.length === 0 ? none : undecided,
    observed: observed.length === 0 ? null : observed,
    answer,
    answered_by: grant === null ? null : { by: 'rule', id: grant.rule.id, at: grant.rule.at },
    reason: firstWords('reason', deciding),
    instead: firstWords('instead', deciding),
  };
}

function undecidedReference({ asks, reference }: Candidate, why: string): UndecidedRule {
  if (!asks) return { ...reference, why };
  const { id, at } = reference;
  return { id, at, decision: 'needs_approval', rule_decision: 'blocked', why };
}

/** One for all, since there are many. */
const none: readonly never[] = Object.freeze([]);

/** For a cached finding: its shared parts must not be changed through a decision. */
export function frozenFinding(finding: Finding): Finding {
  for (const list of [finding.rules, finding.undecided, finding.observed]) Object.freeze(list);
  for (const rule of finding.undecided) Object.freeze(rule);
  Object.freeze(finding.answered_by);
  return Object.freeze(finding);
}

/** Keys in the order in which core writes them. */
export function judgementOf(finding: Finding, capability: number): Judgement {
  const { policy, decision, isDefault, rules, undecided, observed, answer, answered_by } = finding;
  // Written out twice: copying an object into another costs more than making it.
  return observed === null
    ? { capability, policy, decision, default: isDefault, rules, undecided, answer, answered_by }
    : { capability, policy, decision, default: isDefault, rules, undecided, observed, answer, answered_by };
}

/** The same, of a file set. */
export function judgementOfSet(finding: Finding, capability: number, member: DecidingMember): Judgement {
  const { capability: index, ...rest } = judgementOf(finding, capability);
  return { capability: index, member, ...rest };
}

function firstWords(key: 'reason' | 'instead', deciding: readonly Candidate[]): Words | null {
  const first = deciding.find(({ rule }) => rule[key] !== null);
  return first === undefined ? null : { place: first.place, text: first.rule[key] };
}
