import {
  always,
  asksIfUndecided,
  type CallView,
  type CapabilityView,
  type Condition,
  createdPrefix,
  isRestriction,
  type Rule,
  type RuleReference,
  rankOf,
} from '@ambit/core';
import { mayReadPath } from '../keys-read.js';
import { type Combination, compileCombination } from './combination.js';
import { compileCondition } from './compile-condition.js';
import type { Rank } from './rank.js';

/** A rule that may concern a capability, ready to be weighed. */
export interface Candidate {
  readonly rule: Rule;
  /** In its policy. */
  readonly place: number;
  readonly rank: Rank;
  /** A tool's `pre_approved`: answers questions, and says nothing about a capability. */
  readonly isGrant: boolean;
  /** Whether it is a person's question where it is undecided, and a block where it applies. */
  readonly asks: boolean;
  /** What has to be asked before it applies; null where it always does. */
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

/** Who acts, and for whom. */
export interface Acting {
  readonly worker: string;
  readonly chain: readonly string[];
}

export function isForChain(rule: Rule, { worker, chain }: Acting): boolean {
  if (rule.worker === null || rule.worker === worker) return true;
  if (!isRestriction(rule)) return false;
  return (rule.inherit ? chain : [worker]).some((member) => namesOf(member).includes(rule.worker as string));
}

/** Whether a rule that applies for certain takes the place of the default. */
export function isOwn(rule: Rule, worker: string): boolean {
  if (rule.about !== 'capability') return false;
  if (rule.worker === null || rule.worker === worker) return true;
  return rule.worker === 'created' && worker.startsWith(createdPrefix);
}

/** Whom a restriction may be for so that it holds for this worker: `created:NAME` is also `created` and `NAME`. */
export function namesOf(worker: string): readonly string[] {
  return worker.startsWith(createdPrefix)
    ? [worker, 'created', worker.slice(createdPrefix.length)]
    : [worker];
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
