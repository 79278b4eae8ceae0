import { builtIn, type Decide, type Decision, type NonEmpty, type Policy, type Request } from '@ambit/core';
import { decideIn, settleIn } from './judge.js';
import { indexPolicy, type PolicyIndex } from './policy-index.js';
import { PolicySet } from './policy-set.js';

/** The fast reading of the same policies as core's `decide`, which it equals on every input. */
export interface Engine {
  /** The decision with its explanation, deeply equal to that of core's `decide`. */
  readonly decide: Decide;
  /** Only the decision: the `decision` of `decide`, without its explanation. */
  readonly settle: (request: Request, policies: NonEmpty<Policy>) => Decision;
}

/** How many sets of policies that begin with the same one are kept ready. */
const mostSets = 16;

/** Each policy is read once, when it first judges, and frozen. Cached parts are released with the policy. */
export function createEngine(): Engine {
  const indexes = new WeakMap<Policy, PolicyIndex>();
  const sets = new WeakMap<Policy, PolicySet[]>();
  let last: PolicySet | null = null;

  const indexOf = (policy: Policy): PolicyIndex => {
    const known = indexes.get(policy);
    if (known !== undefined) return known;
    const index = indexPolicy(policy);
    indexes.set(policy, index);
    return index;
  };

  const setOf = (policies: readonly Policy[]): PolicySet => {
    if (last?.consistsOf(policies)) return last;
    const first = policies[0] ?? builtIn;
    const kept = sets.get(first) ?? [];
    const found = kept.find((set) => set.consistsOf(policies));
    const set = found ?? new PolicySet(policies, [builtIn, ...policies].map(indexOf));
    if (found === undefined) sets.set(first, [set, ...kept].slice(0, mostSets));
    last = set;
    return set;
  };

  return {
    decide: (request, policies) => decideIn(setOf(policies).situationOf(request), request),
    settle: (request, policies) => settleIn(setOf(policies).situationOf(request), request),
  };
}
