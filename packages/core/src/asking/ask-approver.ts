import { reaches } from '../decide/reach.js';
import type { Clock } from '../words/clock.js';
import { frozenCopy, isJsonObject } from '../words/json.js';
import { messageOf, printable } from '../words/text.js';
import type { Answer, Approver, Question } from './question.js';

export type Reply =
  | { readonly how: 'person'; readonly answer: Answer }
  | { readonly how: 'nobody' | 'timeout' | 'error'; readonly why: string };

/** Every failure is a reply, never an exception. */
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
    const answer = readAnswer(given);
    if (typeof answer === 'string')
      return { how: 'error', why: `the approver returned an invalid answer: ${answer}` };
    return { how: 'person', answer };
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

const isText = (value: unknown) => typeof value === 'string';
const optional = (holds: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || holds(value);
const isPerson = (value: unknown) => isText(value) && value !== '';
const keepKeys = {
  remember: (value: unknown) => value === 'run' || value === 'always',
  reach: (value: unknown) => value !== 'call' && reaches.some((reach) => reach === value),
  until: optional((value) => Number.isFinite(value)),
};
const answerKeys = {
  approve: {
    person: isPerson,
    keep: optional((value) => hasKeys(value, keepKeys)),
    args: optional(isJsonObject),
  },
  refuse: {
    person: isPerson,
    note: optional(isText),
    ask_again: optional((value) => typeof value === 'boolean'),
  },
  stop: { person: isPerson, note: optional(isText) },
};

/** A copy, so it cannot change after the check; or what is wrong. An approver is outside code. */
function readAnswer(given: unknown): Answer | string {
  if (typeof given !== 'object' || given === null) return 'it is not an object';
  const copy = { ...given } as Answer;
  if (!isText(copy.answer) || !Object.hasOwn(answerKeys, copy.answer))
    return '`answer` must be approve, refuse or stop';
  const keys = { ...answerKeys[copy.answer], answer: isText };
  if (copy.answer === 'approve' && copy.keep !== undefined) {
    if (typeof copy.keep !== 'object' || copy.keep === null) return '`keep` is invalid';
    Object.assign(copy, { keep: { ...copy.keep } });
  }
  const unknown = Object.keys(copy).find((key) => !Object.hasOwn(keys, key));
  if (unknown !== undefined) return `\`${printable(unknown)}\` is not a key of ${copy.answer}`;
  const wrong = Object.entries(keys).find(([key, holds]) => !holds(copy[key as keyof Answer]));
  if (wrong !== undefined) return `\`${wrong[0]}\` is missing or invalid`;
  return copy.answer === 'approve' && copy.args !== undefined
    ? { ...copy, args: frozenCopy(copy.args) }
    : copy;
}

/** Whether the value has only these keys, and every test holds. */
function hasKeys(value: unknown, keys: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const own = value as Readonly<Record<string, unknown>>;
  return (
    Object.keys(own).every((key) => Object.hasOwn(keys, key)) &&
    Object.entries(keys).every(([key, holds]) => holds(own[key]))
  );
}
