import * as z from 'zod';
import { reaches } from '../decide/reach.js';
import type { Clock } from '../words/clock.js';
import { isJsonObject } from '../words/json.js';
import { messageOf } from '../words/message-of.js';
import type { Answer, Approver, Question } from './question.js';

/** The result of a question: an answer, or why there is no answer. */
export type Reply =
  | { readonly how: 'person'; readonly answer: Answer }
  | { readonly how: 'nobody' | 'timeout' | 'error'; readonly why: string };

/** Asks the approver, within the time limit. Every failure is a reply, never an exception. */
export async function ask(
  question: Question,
  to: {
    readonly approver: Approver | null;
    readonly clock: Clock;
    readonly limit: number | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Reply> {
  if (to.signal.aborted) return { how: 'error', why: 'cancelled' };
  if (to.approver === null) return { how: 'nobody', why: 'there is no approver' };
  const done = new AbortController();
  const signal = AbortSignal.any([to.signal, done.signal]);
  try {
    const asking = Promise.resolve(to.approver.ask(question, signal));
    const given: unknown = await Promise.race([asking, ...waits(to, signal)]);
    if (given === tooLate) {
      if (to.signal.aborted) return { how: 'error', why: 'cancelled' };
      const why = 'no answer in time';
      done.abort(new Error(why));
      return { how: 'timeout', why };
    }
    const answer = answerSchema.safeParse(given);
    if (!answer.success) return { how: 'error', why: 'the approver gave something that is no answer' };
    return { how: 'person', answer: answer.data as Answer };
  } catch (error) {
    return { how: 'error', why: `the approver failed: ${messageOf(error)}` };
  } finally {
    done.abort();
  }
}

const tooLate = Symbol('too late');

function waits(
  to: { clock: Clock; limit: number | undefined; signal: AbortSignal },
  signal: AbortSignal,
): Promise<symbol>[] {
  const cancelled = new Promise<symbol>((resolve) => {
    if (signal.aborted) resolve(tooLate);
    // On the signal of this question, which aborts when it ends: a run's own would gather listeners.
    signal.addEventListener('abort', () => resolve(tooLate), { once: true });
  });
  return to.limit === undefined
    ? [cancelled]
    : [cancelled, to.clock.after(to.limit, signal).then(() => tooLate)];
}

const person = z.string().min(1);
const note = z.string().optional();
const answerSchema = z.discriminatedUnion('answer', [
  z.strictObject({
    answer: z.literal('approve'),
    person,
    keep: z
      .strictObject({
        remember: z.enum(['run', 'always']),
        reach: z.enum(reaches).exclude(['call']),
        until: z.number().optional(),
      })
      .optional(),
    args: z.custom(isJsonObject).optional(),
  }),
  z.strictObject({ answer: z.literal('refuse'), person, note, ask_again: z.boolean().optional() }),
  z.strictObject({ answer: z.literal('stop'), person, note }),
]);
