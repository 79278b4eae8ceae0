import {
  always,
  type CallView,
  type CapabilityView,
  type CombinationRule,
  type Condition,
  isWithin,
} from '@ambit/core';
import { compileCondition } from './expression/compile-condition.js';

/** A combination whose conditions are compiled. */
export interface Combination {
  readonly condition: Condition<CallView>;
  readonly members: readonly Member[];
  readonly within: 'call' | 'run';
}

export interface Member {
  readonly name: string;
  readonly condition: Condition<CapabilityView>;
  /** Whether the name says it all. */
  readonly isPlain: boolean;
}

export function compileCombination({ condition, members, within }: CombinationRule): Combination {
  return {
    condition: compileCondition(condition),
    members: members.map((member) => ({
      name: member.name,
      condition: compileCondition(member.condition),
      isPlain: member.condition === always,
    })),
    within,
  };
}

export function lists({ name }: Member, capability: string): boolean {
  return isWithin(capability, name);
}
