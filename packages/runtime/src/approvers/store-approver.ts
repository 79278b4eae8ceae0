import { type Answer, type Approver, isJsonObject, type Question } from '@ambit/core';
import type { Store, StoredQuestion } from '../store/store.js';
import { closedBy } from './first-answer.js';

export interface StoreApproverOptions {
  readonly run: string;
  readonly digestOf: (question: Question) => string;
  readonly now: () => number;
  /** Milliseconds between polls. */
  readonly poll?: number;
  /** An approver in this process. Its answer counts once it is stored. */
  readonly here?: Approver | null;
  readonly whileWaiting?: <T>(waiting: Promise<T>, calls: number) => Promise<T>;
  /** Whether open questions stay for answers after the run's end. */
  readonly isParked?: () => boolean;
}

/** Stores questions for other processes to answer, and withdraws those that are no longer needed. */
export function storeApprover(store: Store, options: StoreApproverOptions): Approver {
  return {
    async ask(question, signal) {
      signal.throwIfAborted();
      const digest = options.digestOf(question);
      const { run, now, here = null, isParked = () => false } = options;
      // Before anything else: the caller may close the store next.
      const withdraw = () => {
        if (!isParked()) store.withdraw(question.id, now()).catch(() => undefined);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      try {
        await store.ask({ run, question, digest, asked: now() });
        const known = answerIn(await store.question(question.id), digest);
        if (known !== null) return await left(known, signal, isParked);
        const asked = { store, question, digest, options };
        const approvers = [elsewhere(asked), ...(here === null ? [] : [writtenDown(here, asked)])];
        const waiting = first(approvers, question, signal);
        const answer = await (options.whileWaiting?.(waiting, question.calls?.length ?? 1) ?? waiting);
        return await left(answer, signal, isParked);
      } finally {
        signal.removeEventListener('abort', withdraw);
      }
    },
  };
}

/** An answer that arrives after parking stays in the store for the resumed run. */
async function left(answer: Answer, signal: AbortSignal, isParked: () => boolean): Promise<Answer> {
  if (!isParked()) return answer;
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  throw reasonOf(signal);
}

/** Unlike `firstAnswer`, a failure ends the question: the host's approver was to answer. */
async function first(
  approvers: readonly Approver[],
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  let closed = 'the question was withdrawn';
  try {
    const answer = await Promise.race(approvers.map(async (approver) => approver.ask(question, within)));
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

interface Asked {
  readonly store: Store;
  readonly question: Question;
  readonly digest: string;
  readonly options: StoreApproverOptions;
}

function elsewhere({ store, question, digest, options: { poll = 150 } }: Asked): Approver {
  return {
    async ask(_, signal) {
      for (;;) {
        const answer = answerIn(await store.question(question.id), digest);
        if (answer !== null) return answer;
        await pause(poll, signal);
      }
    },
  };
}

/** The store decides who was first. */
function writtenDown(here: Approver, { store, digest, options: { now } }: Asked): Approver {
  return {
    async ask(question, signal) {
      const answer = await here.ask(question, signal);
      // An invalid answer refuses the call, and is not stored.
      if (!isJsonObject(answer)) return answer;
      const taken = await store.answer(question.id, { digest, answer, at: now() });
      if (taken === 'taken') return answer;
      const first = answerIn(await store.question(question.id), digest);
      if (first === null) throw new Error('the question was no longer open when it was answered');
      return first;
    },
  };
}

function answerIn(found: StoredQuestion | null, digest: string): Answer | null {
  if (found === null) throw new Error('the question was removed from the store');
  if (found.digest !== digest) throw new Error('another question replaced this one');
  if (found.state === 'withdrawn') throw new Error('the question was withdrawn');
  return found.answer;
}

/** The answer to what was shown, or null. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(reasonOf(signal));
    const stop = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('cancelled');
}
