import type { EarlierRun, Keeper } from '@ambit/core';
import type { RunWorld } from '../catalogue/run-world.js';
import type { Records } from '../open/records.js';
import type { OpenOptions } from '../open/session.js';
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

/** What a run had come to, with what the store knows of it. */
export async function earlierAnswers(earlier: EarlierRun, { store, id }: Records): Promise<EarlierRun> {
  const questions = (await store.questions()).filter(({ run }) => run === id);
  const stored = new Set((await store.kept()).map(({ answer }) => answer.approval));
  // The process may have been killed before it was kept for good: then it is for the run.
  const kept = earlier.kept.map((answer) =>
    answer.remember === 'run' || stored.has(answer.approval)
      ? answer
      : { ...answer, remember: 'run' as const },
  );
  return { ...earlier, kept, shown: questions.map(({ question: { call, calls = [call] } }) => calls) };
}
