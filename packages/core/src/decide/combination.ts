import { canonical } from '../words/canonical.js';
import { type Capability, isWithin } from '../words/capability.js';
import { both, either, type Truth, truthOf } from './condition.js';
import { type CapabilityView, callView } from './request.js';
import type { CombinationMember, CombinationRule } from './rule.js';

/** All capabilities of a call, and the run's history; file sets as their members. */
export interface Surroundings {
  readonly capabilities: readonly Capability[];
  readonly history: readonly Capability[];
}

/**
 * Whether a combination applies to one capability of a call: the rule lists it, and all the rest is present.
 */
export function combinationTruth(rule: CombinationRule, view: CapabilityView, around: Surroundings): Truth {
  const present = rule.within === 'run' ? [...around.capabilities, ...around.history] : around.capabilities;
  const isPresent = (member: CombinationMember) =>
    either(present.map((capability) => memberTruth(member, { ...view, capability: canonical(capability) })));
  return both([
    truthOf(rule.condition, callView(view)),
    either(rule.members.map((member) => memberTruth(member, view))),
    ...rule.members.map(isPresent),
  ]);
}

function memberTruth({ name, condition }: CombinationMember, view: CapabilityView): Truth {
  return isWithin(view.capability.name, name) ? truthOf(condition, view) : false;
}
