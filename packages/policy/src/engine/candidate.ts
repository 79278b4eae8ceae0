import {
  always,
  asksIfUndecided,
  type CallView,
  type CapabilityView,
  type Condition,
  isRestriction,
  type Rule,
  type RuleReference,
  rankOf,
} from '@ambit/core';
import { mayReadPath } from '../document/keys-read.js';
import { type Combination, compileCombination } from './combination.js';
import { compileCondition } from './expression/compile-condition.js';
import type { Rank } from './rank.js';

/** A rule that may concern a capability, ready to be weighed. */
export interface Candidate {
  readonly rule: Rule;
  /** In its policy. */
  readonly place: number;
  readonly rank: Rank;
  /** A tool's `pre_approved`: answers questions, and does not decide about a capability. */
  readonly isGrant: boolean;
  /** Whether it asks a person if it is undecided, and blocks if it applies. */
  readonly asks: boolean;
  /** The test before it applies; null if it always does. */
  readonly test: Test | null;
  /** Frozen, and shared by all decisions. As it is where the rule applies. */
  readonly reference: RuleReference;
}

export type Test =
  | {
      readonly about: 'capability';
      readonly condition: Condition<CapabilityView>;
      readonly readsPath: boolean;
    }
  | { readonly about: 'tool'; readonly condition: Condition<CallView>; readonly readsPath: false }
  | { readonly about: 'combination'; readonly combination: Combination; readonly readsPath: boolean };

export function candidateOf(rule: Rule, place: number): Candidate {
  const { id, at, decision } = rule;
  return {
    rule,
    place,
    rank: rankOf(decision),
    isGrant: rule.about === 'tool' && !isRestriction(rule),
    asks: asksIfUndecided(rule),
    test: testOf(rule),
    reference: Object.freeze({ id, at, decision }),
  };
}

function testOf(rule: Rule): Test | null {
  if (rule.about === 'combination') {
    const readsPath = rule.members.some(({ condition }) => mayReadPath(condition));
    return { about: 'combination', combination: compileCombination(rule), readsPath };
  }
  if (rule.condition === always) return null;
  return rule.about === 'tool'
    ? { about: 'tool', condition: compileCondition(rule.condition), readsPath: false }
    : {
        about: 'capability',
        condition: compileCondition(rule.condition),
        readsPath: mayReadPath(rule.condition),
      };
}
