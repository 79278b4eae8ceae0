import {
  always,
  asksIfUndecided,
  type Capability,
  isRestriction,
  type Policy,
  type Rule,
  type RuleReference,
  rankOf,
  type Truth,
} from '@ambit/core';
import { mayReadPath } from '../document/keys-read.js';
import type { CallInHand } from './call-in-hand.js';
import { compileCombination } from './combination.js';
import { compileCondition } from './condition/compile-condition.js';
import { nothing } from './condition/facts.js';

/** One of the policies that judge together; the built-in one is the first. */
export interface Layer {
  readonly at: number;
  readonly policy: Policy;
  /** Core's `rankOf`. */
  readonly defaultRank: number;
}

/** A rule of a layer, ready to be weighed. */
export interface Candidate {
  readonly rule: Rule;
  readonly layer: Layer;
  /** Among the rules of all layers. */
  readonly place: number;
  readonly rank: number;
  /** A tool's `pre_approved`: answers questions, and does not decide about a capability. */
  readonly isGrant: boolean;
  /** Whether it asks a person if it is undecided, and blocks if it applies. */
  readonly asks: boolean;
  /** Whether it applies; null if it always does. */
  readonly test: ((capability: Capability, call: CallInHand) => Truth) | null;
  readonly readsPath: boolean;
  /** Frozen, and shared by all decisions. */
  readonly reference: RuleReference;
}

export function candidateOf(rule: Rule, layer: Layer, place: number): Candidate {
  const { id, at, decision } = rule;
  const conditions = [rule.condition, ...(rule.about === 'combination' ? rule.members : []).map(conditionOf)];
  return {
    rule,
    layer,
    place,
    rank: rankOf(decision),
    isGrant: rule.about === 'tool' && !isRestriction(rule),
    asks: asksIfUndecided(rule),
    test: testOf(rule),
    readsPath: rule.about !== 'tool' && conditions.some(mayReadPath),
    reference: Object.freeze({ id, at, decision }),
  };
}

function conditionOf({ condition }: Pick<Rule, 'condition'>) {
  return condition;
}

function testOf(rule: Rule): Candidate['test'] {
  if (rule.about === 'combination') return compileCombination(rule);
  if (rule.condition === always) return null;
  const test = compileCondition(rule.condition);
  return rule.about === 'capability' ? test : (_, call) => call.once(rule, () => test(nothing, call));
}
