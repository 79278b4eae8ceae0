import {
  builtIn,
  type Capability,
  type Decide,
  type Decision,
  decisions,
  fileSetOf,
  type Judgement,
  type NonEmpty,
  type Policy,
  type Request,
  withoutRepetition,
} from '@ambit/core';
import { CallInHand } from './call-in-hand.js';
import type { Candidate } from './candidate.js';
import { freezePolicy } from './freeze-policy.js';
import { addJudgements } from './outcome.js';
import { PolicySet } from './policy-set.js';
import { type Situation, silent, varies } from './situation.js';

/** The fast reading of the same policies as core's `decide`, which it equals on every input. */
export interface Engine {
  /** The decision with its explanation, deeply equal to that of core's `decide`. */
  readonly decide: Decide;
  /** Only the decision: the `decision` of `decide`, without its explanation. */
  readonly settle: (request: Request, policies: NonEmpty<Policy>) => Decision;
}

/** How many sets of policies that begin with the same one are kept ready. */
const mostSets = 16;

/** Policies are read once, when they first judge together, and frozen. Kept parts are released with them. */
export function createEngine(): Engine {
  const sets = new WeakMap<Policy, PolicySet[]>();
  let last: PolicySet | null = null;

  const situationOf = (request: Request, policies: readonly Policy[]): Situation => {
    if (last?.consistsOf(policies) !== true) {
      const first = policies[0] ?? builtIn;
      const kept = sets.get(first) ?? [];
      last = kept.find((set) => set.consistsOf(policies)) ?? null;
      if (last === null) {
        policies.forEach(freezePolicy);
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
  const { carried } = situation;
  const capabilities = carried.length === 0 ? request.capabilities : [...request.capabilities, ...carried];
  let call: CallInHand | null = null;
  let top = -1;
  for (const capability of capabilities) {
    const code = situation.codeOf(capability.name);
    let rank = code & 7;
    if (rank === silent) continue;
    if (rank === varies) {
      call ??= new CallInHand(request, capabilities);
      const concern = situation.concernOf(code);
      rank = hasFileSet(capability)
        ? concern.judgeSet(capability, call).settled
        : concern.settle(capability, call, top);
    }
    if (rank > top) top = rank;
    if (top === 2) break;
  }
  return wordFor(top);
}

function decideIn(situation: Situation, request: Request) {
  const { carried } = situation;
  const all = carried.length === 0 ? request.capabilities : [...request.capabilities, ...carried];
  const distinct = withoutRepetition(all);
  const capabilities = (distinct === all ? all.slice() : distinct) as NonEmpty<Capability>;
  const judgements: Judgement[] = [];
  let call: CallInHand | null = null;
  let settled = -1;
  let top = -1;
  let reason: Candidate | null = null;
  let instead: Candidate | null = null;
  for (let index = 0; index < capabilities.length; index += 1) {
    const capability = capabilities[index] as Capability;
    const code = situation.codeOf(capability.name);
    const isSet = hasFileSet(capability);
    let outcome = isSet ? null : situation.fixedOf(code);
    if (outcome === null) {
      const concern = situation.concernOf(code);
      call ??= new CallInHand(request, capabilities);
      outcome = isSet ? concern.judgeSet(capability, call) : concern.judge(capability, call);
    }
    addJudgements(outcome, index, judgements);
    if (outcome.settled > settled) settled = outcome.settled;
    if (outcome.rank > top) {
      top = outcome.rank;
      reason = outcome.reason;
      instead = outcome.instead;
    } else if (outcome.rank === top) {
      reason = earlier(reason, outcome.reason);
      instead = earlier(instead, outcome.instead);
    }
  }
  return {
    decision: wordFor(settled),
    capabilities,
    judgements,
    reason: reason?.rule.reason ?? null,
    instead: instead?.rule.instead ?? null,
  };
}

function earlier(one: Candidate | null, other: Candidate | null): Candidate | null {
  return one === null || (other !== null && other.place < one.place) ? other : one;
}

function hasFileSet({ path }: Capability): boolean {
  return typeof path === 'object' && fileSetOf(path) !== null;
}

/** A capability without a judgement is blocked. */
function wordFor(rank: number): Decision {
  return rank === -1 ? 'blocked' : (decisions[rank] as Decision);
}
