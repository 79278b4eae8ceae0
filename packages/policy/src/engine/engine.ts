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
import { PolicySet, type Situation } from './policy-set.js';
import type { PlacedRule } from './rule-index.js';
import { CallInHand } from './rule-test.js';

/** Faster than core's `decide`, with equal results for every input. The list of a history may only grow. */
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
      const known = kept.find((set) => set.consistsOf(policies));
      last = known ?? new PolicySet(policies);
      if (known === undefined) sets.set(first, [last, ...kept].slice(0, mostSets));
    }
    return last.situationOf(request);
  };

  return {
    decide: (request, policies) => decideIn(situationOf(request, policies), request),
    settle: (request, policies) => settleIn(situationOf(request, policies), request),
  };
}

function settleIn(situation: Situation, request: Request): Decision {
  const capabilities = situation.capabilitiesOf(request);
  let call: CallInHand | null = null;
  let top = -1;
  for (const capability of capabilities) {
    const known = situation.rankOf(capability.name, request);
    if (typeof known === 'number') top = Math.max(top, known);
    else {
      call ??= new CallInHand(request, capabilities);
      top = known.above(top, capability, call);
    }
    if (top === decisions.length - 1) break;
  }
  // Without a judgement the rank is -1, and the last word is `blocked`.
  return decisions.at(top) as Decision;
}

function decideIn(situation: Situation, request: Request): CallDecision {
  const all = situation.capabilitiesOf(request);
  const distinct = withoutRepetition(all);
  const capabilities = (distinct === all ? all.slice() : distinct) as NonEmpty<Capability>;
  const call = new CallInHand(request, capabilities);
  // oxlint-disable-next-line unicorn/no-new-array -- a list that grows takes more memory, which costs most here
  const judgements = new Array<Judgement>(capabilities.length * (situation.index.policies.length - 1));
  let [settled, top, count] = [-1, -1, 0];
  let reason: PlacedRule | null = null;
  let instead: PlacedRule | null = null;
  for (let index = 0; index < capabilities.length; index += 1) {
    const capability = capabilities[index] as Capability;
    const outcome = situation.outcomeOf(capability.name, request).about(capability, call);
    for (let place = 0; place < outcome.count; place += 1, count += 1)
      judgements[count] = outcome.judgementAt(place, index);
    if (outcome.settled > settled) settled = outcome.settled;
    if (outcome.rank < top) continue;
    reason = outcome.rank > top ? outcome.reason : earlier(reason, outcome.reason);
    instead = outcome.rank > top ? outcome.instead : earlier(instead, outcome.instead);
    top = outcome.rank;
  }
  // The built-in policy judges only some capabilities.
  if (judgements.length !== count) judgements.length = count;
  return {
    decision: decisions.at(settled) as Decision,
    capabilities,
    judgements,
    reason: reason?.rule.reason ?? null,
    instead: instead?.rule.instead ?? null,
  };
}

function earlier(one: PlacedRule | null, other: PlacedRule | null): PlacedRule | null {
  return one === null || (other !== null && other.place < one.place) ? other : one;
}
