import { type Answer, type Approver, messageOf } from '@ambit/core';

/** Asks all approvers at once. The first answer cancels the others. Throws if all throw. */
export function firstAnswer(approvers: readonly Approver[]): Approver {
  return {
    async ask(question, signal) {
      signal.throwIfAborted();
      const over = new AbortController();
      const within = AbortSignal.any([signal, over.signal]);
      let closed = 'no approver has answered';
      try {
        const answer = await Promise.any(
          approvers.map(async (approver): Promise<Answer> => approver.ask(question, within)),
        );
        closed = closedBy(answer);
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof AggregateError ? new Error(inWords(error.errors)) : error;
      } finally {
        over.abort(new Error(closed));
      }
    },
  };
}

/** Who closed a question, for the approvers that did not. */
export function closedBy({ person, answer }: Answer): string {
  const did = { approve: 'approved it', refuse: 'refused it', stop: 'stopped the run' }[answer];
  return `${person} ${did}`;
}

function inWords(errors: readonly unknown[]): string {
  if (errors.length === 0) return 'there is no approver';
  const words = errors.map(messageOf);
  return [...new Set(words)].join('; ');
}
