import type { AnswerableBy, CallDecision, Decision, Judgement, Policy } from '@ambit/core';
import { decidingRules, isOpenQuestion } from '@ambit/core';

export interface Deciding {
  readonly rules: readonly DecidingRule[];
  readonly defaults: readonly string[];
  /** Null unless the call is a question. */
  readonly answer: AnswerableBy | null;
}

export interface DecidingRule {
  readonly policy: string;
  readonly id: string;
  /** `file:line:column` */
  readonly at: string;
  readonly decision: Decision;
  /** Why it is undecided whether the rule applies; null if it applies. */
  readonly undecided: string | null;
}

/** The rules, defaults and standing grants with a judgement as strict as the decision. */
export function decidingOf(decision: CallDecision, policies: readonly Policy[]): Deciding {
  const settling = decision.judgements.filter((judgement) => decisionOf(judgement) === decision.decision);
  const rules = settling.flatMap((judgement) => rulesOf(judgement, policies));
  const isFirst = (rule: DecidingRule, index: number) =>
    rules.findIndex(({ id, at }) => id === rule.id && at === rule.at) === index;
  const open = decision.decision === 'needs_approval' ? settling.filter(isOpenQuestion) : [];
  return {
    rules: rules.filter(isFirst),
    defaults: [
      ...new Set(settling.filter((each) => isByDefault(each, policies)).map(({ policy }) => policy)),
    ],
    answer: open.length === 0 ? null : open.some(({ answer }) => answer === 'person') ? 'person' : 'any',
  };
}

function decisionOf(judgement: Judgement): Decision {
  return judgement.answered_by === null ? judgement.decision : 'pre_approved';
}

function rulesOf(judgement: Judgement, policies: readonly Policy[]): readonly DecidingRule[] {
  const { policy, answered_by: answeredBy } = judgement;
  const said = decidingRules(judgement).map(({ why = null, ...rule }) => ({ ...rule, undecided: why }));
  const grants =
    answeredBy?.by === 'rule'
      ? (policies.find(({ name }) => name === policy)?.rules ?? [])
          .filter(({ id, at }) => id === answeredBy.id && at === answeredBy.at)
          .map(({ id, at }) => ({ id, at, decision: 'pre_approved' as const, undecided: null }))
      : [];
  return [...said, ...grants].map((rule) => ({ policy, ...rule }));
}

function isByDefault(judgement: Judgement, policies: readonly Policy[]): boolean {
  const policy = policies.find(({ name }) => name === judgement.policy);
  return judgement.default && policy?.default.decision === judgement.decision;
}
