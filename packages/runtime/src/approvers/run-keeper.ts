import type { Keeper } from '@ambit/core';
import type { Records } from '../records.js';
import type { RunWorld } from '../run-world.js';
import type { OpenOptions } from '../session.js';
import { keptAnswers } from './kept-answers.js';
import { restrictionsOf } from './restrictions.js';

/** Who keeps answers for later runs; nobody, where a program made a policy: nothing says whether it is the same next time. */
export function runKeeper(
  { policies }: Pick<OpenOptions, 'policies'>,
  of: Pick<RunWorld, 'workers' | 'roots' | 'emit'> & {
    readonly records: Records;
    readonly now: () => number;
    /** SHA-256, in hex, of the policies that judge by now. */
    readonly digests: () => readonly string[];
  },
): { readonly keeper?: Keeper } {
  const { records, now, digests, emit } = of;
  if (policies.some((policy) => typeof policy !== 'string')) return {};
  const keeper = keptAnswers(records.store, {
    run: records.id,
    now,
    judging: (chain) => {
      const restrictions = restrictionsOf(of, chain);
      return restrictions === null ? null : [...new Set([...digests(), ...restrictions])].sort();
    },
    onVoid: ({ approval, person, tool, chain }, why) =>
      emit({ type: 'answer_void', approval, person, tool, chain, why }),
  });
  return { keeper };
}

/** The calls of each question that a run has put, the oldest first. */
export async function shownCalls({ store, id }: Records): Promise<readonly (readonly string[])[]> {
  const questions = (await store.questions()).filter(({ run }) => run === id);
  return questions.map(({ question: { call, calls = [call] } }) => calls);
}
