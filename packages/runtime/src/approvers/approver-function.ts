import type { Answer, Approver, Question } from '@ambit/core';

/** An approver that is nothing but what it answers. */
export type ApproverFunction = (question: Question, signal: AbortSignal) => Answer | Promise<Answer>;

/** One door for both: what a function throws or gives is treated as that of any approver. */
export function asApprover(given: Approver | ApproverFunction | null | undefined): Approver | null {
  if (given === null || given === undefined) return null;
  if (typeof given !== 'function') return given;
  return { ask: async (question, signal) => given(question, signal) };
}
