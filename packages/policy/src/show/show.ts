import { type Decision, impliedRule, impliesOpacity, isForChain, type NonEmpty } from '@ambit/core';
import type { WrittenCombination, WrittenPolicy, WrittenRule } from '../document/document.js';
import { partsOf } from '../document/rule-condition.js';
import { placeText } from '../text/place.js';
import { memberInWords } from './combination-words.js';
import { conditionsInWords, subjectInWords } from './rule-words.js';

/** One line of "what runs, what asks, what never". */
export interface ShowRow {
  /** `observed`: the rule never applies, and its result is recorded. */
  readonly outcome: 'runs' | 'asks' | 'never' | 'observed';
  readonly decision: Decision;
  readonly policy: string;
  readonly at: string;
  /** Null for a default. */
  readonly id: string | null;
  /** As text: `net and everything under it`, `everything else`. */
  readonly what: string;
  /** Null for every worker. */
  readonly worker: string | null;
  /** All of them must hold. */
  readonly conditions: readonly string[];
  readonly reason: string | null;
  /** Remarks: who must answer, and the kind of a line that is not a rule. */
  readonly remarks: readonly string[];
}

const outcomes = { pre_approved: 'runs', needs_approval: 'asks', blocked: 'never' } as const;

/** The rules, in the order of policies and places; for one worker, its rules and those for every worker. */
export function showPolicies(
  policies: NonEmpty<WrittenPolicy>,
  { worker }: { readonly worker?: string } = {},
): readonly ShowRow[] {
  return policies.flatMap((policy) => [
    ...policy.document.rules
      .filter((rule) => worker === undefined || isForChain(rule, { worker, chain: [worker] }))
      .map((rule) => ruleRow(rule, policy)),
    ...(impliesOpacity(policy) ? [impliedRow(policy)] : []),
    defaultRow(policy),
  ]);
}

function ruleRow(rule: WrittenRule, policy: WrittenPolicy): ShowRow {
  return {
    outcome: rule.observe ? 'observed' : outcomes[rule.decision],
    decision: rule.decision,
    policy: policy.name,
    at: rule.at,
    id: rule.id,
    what: subjectInWords(rule),
    worker: rule.worker,
    conditions: rule.about === 'combination' ? combinationConditions(rule) : conditionsInWords(rule),
    reason: rule.reason,
    remarks: remarksOn(rule),
  };
}

function remarksOn(rule: WrittenRule): readonly string[] {
  const isGrant = rule.about === 'tool' && rule.decision === 'pre_approved';
  return [
    ...(rule.observe ? [`would say ${rule.decision}, if it were not only observed`] : []),
    ...(isGrant ? ['answers this policy’s own questions about its calls; blocks still block'] : []),
    ...(rule.answer === 'person' && rule.decision === 'needs_approval'
      ? ['a person must answer, each time']
      : []),
    ...(rule.undecided === 'needs_approval'
      ? ['if this cannot be decided, a person must answer, each time']
      : []),
    ...(rule.worker !== null && rule.decision !== 'pre_approved' && rule.inherit
      ? ['also for workers that act for this worker']
      : []),
  ];
}

function combinationConditions({ members, within, when }: WrittenCombination): readonly string[] {
  return [
    within === 'call'
      ? 'if one call carries all of these'
      : 'if one run has all of these: this call carries one, and the run was permitted the others',
    ...members.filter(({ match, except }) => match !== null || except !== null).map(memberInWords),
    ...conditionsInWords(partsOf({ when })),
  ];
}

function defaultRow(policy: WrittenPolicy): ShowRow {
  const { decision, answer } = policy.document.default;
  const wantsPerson = answer === 'person' && decision === 'needs_approval';
  return {
    ...rowAtDefault(policy, decision),
    id: null,
    what: 'everything that no rule here applies to',
    reason: null,
    remarks: wantsPerson ? ['a person must answer, each time'] : [],
  };
}

function impliedRow(policy: WrittenPolicy): ShowRow {
  const { id, decision, name, reason } = impliedRule;
  return {
    ...rowAtDefault(policy, decision),
    id,
    what: `${name} and everything under it`,
    reason,
    remarks: ['implied, because the default permits what this file does not mention'],
  };
}

/** The row of what a policy decides for every worker, without conditions. */
function rowAtDefault({ name: policy, document }: WrittenPolicy, decision: Decision) {
  const at = `${policy}:${placeText(document.default.place)}`;
  return { outcome: outcomes[decision], decision, policy, at, worker: null, conditions: [] };
}
