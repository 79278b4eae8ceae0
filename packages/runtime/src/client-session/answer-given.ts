import type { Answer } from '@ambit/core';
import type { Store, StoredQuestion } from '../store/store.js';
import type { Recorded } from './recorded.js';

/** Milliseconds for which a person's answer waits for the client's next try. */
export const longestWait = 10 * 60_000;

export interface AskedBefore {
  readonly store: Pick<Store, 'questions'>;
  readonly run: string;
  /** The call that is judged. */
  readonly call: string;
  /** What an answer has to be bound to. */
  readonly digest: string;
  readonly recorded: Recorded;
  /** The questions whose answers were used. */
  readonly taken: ReadonlySet<string>;
  readonly now: number;
}

export interface GivenAnswer {
  readonly question: string;
  readonly answer: Answer;
}

/**
 * What a person answered to the very same call of this session, where it still counts: it is used once, within ten minutes, and not
 * where the session was since permitted to change a file or to run something unknown.
 */
export async function answerGiven(asked: AskedBefore): Promise<GivenAnswer | null> {
  const { store, run, digest, call } = asked;
  const all = (await store.questions()).filter((each) => each.run === run);
  const waiting = new Set([call, ...all.map(({ question }) => question.call)]);
  const usable = all
    .filter((each) => each.digest === digest)
    .findLast(
      (each) => counts(each, asked) && !asked.recorded.hasChangedSince(each.asked, (id) => waiting.has(id)),
    );
  return usable === undefined || usable.answer === null
    ? null
    : { question: usable.question.id, answer: usable.answer };
}

function counts({ question, state, answer, closed }: StoredQuestion, { taken, now }: AskedBefore): boolean {
  if (state !== 'answered' || answer === null || closed === null || taken.has(question.id)) return false;
  // Other arguments are another call than the one that the client will make.
  if (answer.answer === 'approve' && answer.args !== undefined) return false;
  return closed + longestWait >= now;
}
