import {
  builtIn,
  type CallDecision,
  type Capability,
  type Decide,
  type Decision,
  decisions,
  type Judgement,
  type NonEmpty,
  type Policy,
  type Request,
  withoutRepetition,
} from '@ambit/core';
import { earlier, freezeDeep, judgementAt, type Outcome, varies } from './concern.js';
import { PolicySet, rankIn, type Situation } from './policy-set.js';
import { CallInHand, isFileSet } from './rule-test.js';

/** Faster than core's `decide`, with equal results for every input. */
export interface Engine {
  readonly decide: Decide;
  /** The `decision` of `decide`, without its explanation. */
  readonly settle: (request: Request, policies: NonEmpty<Policy>) => Decision;
}

/** How many policy sets with the same first policy are cached. */
const mostSets = 16;

/** Policies are read once and frozen. Cached parts are released with them. */
export function createEngine(): Engine {
  const sets = new WeakMap<Policy, PolicySet[]>();
  let last: PolicySet | null = null;

  const situationOf = (request: Request, policies: readonly Policy[]): Situation => {
    if (last?.consistsOf(policies) !== true) {
      const first = policies[0] ?? builtIn;
      const kept = sets.get(first) ?? [];
      last = kept.find((set) => set.consistsOf(policies)) ?? null;
      if (last === null) {
        // Policies are read once: a later change would be ignored, so it throws instead.
        for (const { rules, carries, default: usual } of policies) freezeDeep([rules, carries, usual]);
        policies.forEach(Object.freeze);
        last = new PolicySet(policies);
        sets.set(first, [last, ...kept].slice(0, mostSets));
      }
    }
    return last.situationOf(request);
  };

  return {
    decide: (request, policies) => decideIn(situationOf(request, policies), request),
    settle: (request, policies) => settleIn(situationOf(request, policies), request),
  };
}

function settleIn(situation: Situation, request: Request): Decision {
  const capabilities = carriedWith(situation, request);
  let call: CallInHand | null = null;
  let top = -1;
  for (const capability of capabilities) {
    const code = situation.codeOf(capability.name);
    let rank = rankIn(code);
    if (rank === varies) {
      const concern = situation.concernOf(code);
      // A finding that cannot be stricter than the result so far is not computed.
      if (concern.most <= top) continue;
      call ??= new CallInHand(request, capabilities);
      rank = concern.about(capability, call).settled;
    }
    if (rank > top) top = rank;
    if (top === 2) break;
  }
  return wordFor(top);
}

function decideIn(situation: Situation, request: Request): CallDecision {
  const all = carriedWith(situation, request);
  const distinct = withoutRepetition(all);
  const capabilities = (distinct === all ? all.slice() : distinct) as NonEmpty<Capability>;
  // oxlint-disable-next-line unicorn/no-new-array
  const outcomes = new Array<Outcome>(capabilities.length);
  let call: CallInHand | null = null;
  let settled = -1;
  let top = -1;
  let count = 0;
  let reason: Outcome['reason'] = null;
  let instead: Outcome['instead'] = null;
  for (let index = 0; index < capabilities.length; index += 1) {
    const capability = capabilities[index] as Capability;
    const concern = situation.concernOf(situation.codeOf(capability.name));
    let outcome = isFileSet(capability) ? null : concern.always;
    if (outcome === null) {
      call ??= new CallInHand(request, capabilities);
      outcome = concern.about(capability, call);
    }
    outcomes[index] = outcome;
    count += outcome.count;
    if (outcome.settled > settled) settled = outcome.settled;
    if (outcome.rank < top) continue;
    reason = outcome.rank > top ? outcome.reason : earlier(reason, outcome.reason);
    instead = outcome.rank > top ? outcome.instead : earlier(instead, outcome.instead);
    top = outcome.rank;
  }
  return {
    decision: wordFor(settled),
    capabilities,
    judgements: judgementsOf(outcomes, count),
    reason: reason?.text ?? null,
    instead: instead?.text ?? null,
  };
}

/** A list that grows would take more memory than it needs, which costs more time than anything else here. */
function judgementsOf(outcomes: readonly Outcome[], count: number): readonly Judgement[] {
  // oxlint-disable-next-line unicorn/no-new-array
  const judgements = new Array<Judgement>(count);
  let at = 0;
  for (let index = 0; index < outcomes.length; index += 1) {
    const outcome = outcomes[index] as Outcome;
    for (let place = 0; place < outcome.count; place += 1, at += 1)
      judgements[at] = judgementAt(outcome, place, index);
  }
  return judgements;
}

function carriedWith({ carried }: Situation, { capabilities }: Request): readonly Capability[] {
  return carried.length === 0 ? capabilities : [...capabilities, ...carried];
}

/** A capability without a judgement is blocked. */
function wordFor(rank: number): Decision {
  return rank === -1 ? 'blocked' : (decisions[rank] as Decision);
}
