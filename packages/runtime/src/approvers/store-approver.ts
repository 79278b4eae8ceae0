import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, type Approver, isJsonObject, type Question } from '@ambit/core';
import type { Store, StoredQuestion } from '../store/store.js';
import { askAll } from './first-answer.js';

interface StoreApproverOptions {
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
        if (known !== null) return await unlessParked(known, signal, isParked);
        const asked = { store, question, digest, options };
        const approvers = [elsewhere(asked), ...(here === null ? [] : [writtenDown(here, asked)])];
        // A failure ends the question: the host's approver was to answer.
        const waiting = askAll(approvers, { question, signal, first: (answers) => Promise.race(answers) });
        const answer = await (options.whileWaiting?.(waiting, question.calls?.length ?? 1) ?? waiting);
        return await unlessParked(answer, signal, isParked);
      } finally {
        signal.removeEventListener('abort', withdraw);
      }
    },
  };
}

/** An answer that arrives after parking stays in the store for the resumed run. */
async function unlessParked(answer: Answer, signal: AbortSignal, isParked: () => boolean): Promise<Answer> {
  if (!isParked()) return answer;
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason as Error;
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
        await wait(poll, undefined, { signal });
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

/** The answer to what was shown, or null. */
function answerIn(found: StoredQuestion | null, digest: string): Answer | null {
  if (found === null) throw new Error('the question was removed from the store');
  if (found.digest !== digest) throw new Error('another question replaced this one');
  if (found.state === 'withdrawn') throw new Error('the question was withdrawn');
  return found.answer;
}
