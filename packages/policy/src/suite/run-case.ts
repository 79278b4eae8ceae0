import { answer, type CallDecision, type NonEmpty, type Policy } from '@ambit/core';
import { createEngine } from '../engine/engine.js';
import { type Deciding, decidingOf } from './deciding.js';
import type { DescribedCase, Expectation, SuiteCase } from './suite.js';

export interface CaseResult {
  readonly name: string;
  /** `file:line:column` */
  readonly at: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly skip: string | null;
  /** The failed expectations; empty unless it failed. */
  readonly mismatches: readonly Mismatch[];
  readonly decision: CallDecision | null;
  readonly deciding: Deciding | null;
  readonly cannot: string | null;
}

export type Mismatch = {
  readonly [Key in keyof Expectation]: {
    readonly of: Key;
    readonly expected: NonNullable<Expectation[Key]>;
    /** For `rules`, all deciding rules. */
    readonly found: Expectation[Key];
  };
}[keyof Expectation];

export function runCase(each: SuiteCase, policies: NonEmpty<Policy>): CaseResult {
  const { name, at, expect, subject } = each;
  const nothing = { name, at, skip: null, mismatches: [], decision: null, deciding: null, cannot: null };
  if (subject.skipped !== null) return { ...nothing, status: 'skipped', skip: subject.skipped };
  const decision = judge(subject, policies);
  const deciding = decidingOf(decision, policies);
  const mismatches = compare(expect, decision, deciding);
  const status = mismatches.length === 0 ? 'passed' : 'failed';
  return { ...nothing, status, mismatches, decision, deciding, cannot: subject.cannot };
}

/** Whether a case meets its expectations. Skipped cases are not tested. */
export function passes({ subject, expect }: SuiteCase, policies: NonEmpty<Policy>): boolean {
  if (subject.skipped !== null) return true;
  const decision = judge(subject, policies);
  if (expect.decision !== null && decision.decision !== expect.decision) return false;
  return compare(expect, decision, decidingOf(decision, policies)).length === 0;
}

// The fast engine: there are thousands of mutants, and each is a new policy.
const { decide } = createEngine();

export function judge({ request, grants }: DescribedCase, policies: NonEmpty<Policy>): CallDecision {
  return answer(decide(request, policies), { request, policies, grants });
}

function compare(expect: Expectation, decision: CallDecision, deciding: Deciding): readonly Mismatch[] {
  const rules = deciding.rules.map(({ id }) => id);
  const found: Expectation = {
    decision: decision.decision,
    rules,
    default: deciding.defaults.length > 0,
    answer: deciding.answer,
    reason: decision.reason,
    instead: decision.instead,
  };
  return (Object.keys(found) as (keyof Expectation)[]).flatMap((of) => {
    const expected = expect[of];
    const isMet = of === 'rules' ? expect.rules?.every((id) => rules.includes(id)) : expected === found[of];
    return expected === null || isMet === true ? [] : [{ of, expected, found: found[of] } as Mismatch];
  });
}
