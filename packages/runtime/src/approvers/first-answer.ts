import { type Answer, type Approver, isJsonObject, messageOf, type Question } from '@ambit/core';

interface Asking {
  readonly question: Question;
  readonly signal: AbortSignal;
  /** Which answer counts: `Promise.any`, or `Promise.race` if one failure ends the question. */
  readonly first: (answers: readonly Promise<Answer>[]) => Promise<Answer>;
}

/** Asks all approvers at once. The first answer cancels the others. Throws if all throw. */
export function firstAnswer(approvers: readonly Approver[]): Approver {
  return {
    ask(question, signal) {
      const first = (answers: readonly Promise<Answer>[]) =>
        Promise.any(answers).catch((error: unknown) => {
          throw error instanceof AggregateError ? new Error(errorTexts(error.errors)) : error;
        });
      return askAll(approvers, { question, signal, first });
    },
  };
}

/** The answer that counts. The other approvers are told who closed the question. */
export async function askAll(
  approvers: readonly Approver[],
  { question, signal, first }: Asking,
): Promise<Answer> {
  signal.throwIfAborted();
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  let closed = 'the question was withdrawn';
  try {
    const answer = await first(approvers.map(async (approver) => approver.ask(question, within)));
    // Invalid answers come here too.
    if (isJsonObject(answer)) closed = closedBy(answer);
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    over.abort(new Error(closed));
  }
}

function closedBy({ person, answer }: Answer): string {
  const did = { approve: 'approved it', refuse: 'refused it', stop: 'stopped the run' }[answer];
  return `${person} ${did}`;
}

function errorTexts(errors: readonly unknown[]): string {
  if (errors.length === 0) return 'there is no approver';
  const words = errors.map(messageOf);
  return [...new Set(words)].join('; ');
}

export type ApproverFunction = (question: Question, signal: AbortSignal) => Answer | Promise<Answer>;

/** Both forms are treated alike, whatever they throw or return. */
export function asApprover(given: Approver | ApproverFunction | null | undefined): Approver | null {
  if (given === null || given === undefined) return null;
  if (typeof given !== 'function') return given;
  return { ask: async (question, signal) => given(question, signal) };
}
