import type { Answer, Approver, Question } from '@ambit/core';

export type ApproverFunction = (question: Question, signal: AbortSignal) => Answer | Promise<Answer>;

/** Both forms are treated alike, whatever they throw or return. */
export function asApprover(given: Approver | ApproverFunction | null | undefined): Approver | null {
  if (given === null || given === undefined) return null;
  if (typeof given !== 'function') return given;
  return { ask: async (question, signal) => given(question, signal) };
}
