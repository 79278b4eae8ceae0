import type { Answer, Approver, Question } from '@ambit/core';

/** An approver from a function. */
export type ApproverFunction = (question: Question, signal: AbortSignal) => Answer | Promise<Answer>;

/** Both forms share this: what a function throws or returns is treated as any approver's. */
export function asApprover(given: Approver | ApproverFunction | null | undefined): Approver | null {
  if (given === null || given === undefined) return null;
  if (typeof given !== 'function') return given;
  return { ask: async (question, signal) => given(question, signal) };
}
