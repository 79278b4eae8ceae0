import {
  answer,
  type CallDecision,
  type Decision,
  decisions,
  type Grant,
  type NonEmpty,
  type Policy,
  type Request,
} from '@ambit/core';
import { createEngine, type PolicyDocument, type WrittenPolicy } from '@ambit/policy';
import { analysedPolicies } from '../exact/subject-policy.js';
import { type CallCandidate, callCandidates } from './call-candidates.js';
import { type CallChange, type Change, changedCall, changedPolicies, type PolicyChange } from './change.js';

export interface JudgedCall {
  readonly request: Request;
  readonly policies: NonEmpty<Policy & { readonly document?: PolicyDocument }>;
  readonly decision: CallDecision;
  readonly grants: readonly Grant[];
}

const mostTried = 300;
const mostRules = 20;

const mostTold = { call: 3, policy: 2 };

/** Single changes of a call or a rule that alter the decision. Each was decided again. */
export function findChanges(judged: JudgedCall): readonly Change[] {
  const engine = createEngine();
  const decide = (request: Request, policies: NonEmpty<Policy>) =>
    answer(engine.decide(request, policies), { request, policies, grants: judged.grants }).decision;
  return [...callChanges(judged, decide), ...policyChanges(judged, decide)];
}

type Decide = (request: Request, policies: NonEmpty<Policy>) => Decision;

function callChanges({ request, policies, decision }: JudgedCall, decide: Decide): readonly CallChange[] {
  const written = policies.filter((policy) => policy.document !== undefined) as readonly WrittenPolicy[];
  const found: CallChange[] = [];
  const decisionAfter = (change: CallCandidate) => decide(changedCall(change, request), policies);
  const candidates = callCandidates(analysedPolicies(written), request);
  for (const { change, likelier } of candidates.slice(0, mostTried)) {
    if (found.length >= mostTold.call) break;
    const after = decisionAfter(change);
    const isTold = ({ what, key, decision: told }: CallChange) =>
      what === change.what && key === change.key && told === after;
    if (after === decision.decision || found.some(isTold)) continue;
    const likely = likelier().find((each) => decisionAfter(each) === after) ?? change;
    found.push({ ...likely, decision: after });
  }
  return found;
}

function policyChanges({ request, policies, decision }: JudgedCall, decide: Decide): readonly PolicyChange[] {
  const found: PolicyChange[] = [];
  for (const rule of concernedRules(decision, policies)) {
    const without = { of: 'policy', what: 'without_rule', ...rule, says: null } as const;
    const gone = decide(request, changedPolicies(without, policies));
    if (gone !== decision.decision) found.push({ ...without, decision: gone });
    for (const says of decisions) {
      const other = { of: 'policy', what: 'other_decision', ...rule, says } as const;
      const after = decide(request, changedPolicies(other, policies));
      if (after !== decision.decision && after !== gone) found.push({ ...other, decision: after });
    }
  }
  // Missing rules first; looser decisions before stricter ones.
  const rank = (change: PolicyChange) =>
    (change.what === 'without_rule' ? 0 : 10) + decisions.indexOf(change.decision);
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, mostTold.policy);
}

/** The rules that can make a difference: those that apply, may apply, or answer. */
function concernedRules(
  { judgements }: CallDecision,
  policies: NonEmpty<Policy>,
): readonly { readonly policy: string; readonly id: string; readonly at: string }[] {
  const all = judgements.flatMap(({ policy, rules, undecided, answered_by: by }) =>
    [...rules, ...undecided, ...(by?.by === 'rule' ? [by] : [])].map(({ id, at }) => ({ policy, id, at })),
  );
  const once = [...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values()];
  // Nobody can change the built-in policy, and a name that two policies share identifies neither.
  return once
    .filter(({ policy }) => policies.filter(({ name }) => name === policy).length === 1)
    .slice(0, mostRules);
}
