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
  const ids = deciding.rules.map(({ id }) => id);
  const isDefault = deciding.defaults.length > 0;
  const found: Mismatch[] = [];
  if (expect.decision !== null && expect.decision !== decision.decision)
    found.push({ of: 'decision', expected: expect.decision, found: decision.decision });
  if (expect.rules?.some((id) => !ids.includes(id)))
    found.push({ of: 'rules', expected: expect.rules, found: ids });
  if (expect.default !== null && expect.default !== isDefault)
    found.push({ of: 'default', expected: expect.default, found: isDefault });
  if (expect.answer !== null && expect.answer !== deciding.answer)
    found.push({ of: 'answer', expected: expect.answer, found: deciding.answer });
  if (expect.reason !== null && expect.reason !== decision.reason)
    found.push({ of: 'reason', expected: expect.reason, found: decision.reason });
  if (expect.instead !== null && expect.instead !== decision.instead)
    found.push({ of: 'instead', expected: expect.instead, found: decision.instead });
  return found;
}
