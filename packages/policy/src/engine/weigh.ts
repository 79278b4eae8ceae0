import { type AnswerableBy, replacesDefault, type Truth } from '@ambit/core';
import type { Candidate } from './candidate.js';
import type { PolicyIndex } from './policy-index.js';
import type { Rank } from './rank.js';

/** The rules of one policy that can concern a name, for who acts. */
export interface Concern {
  /** Which of the policies: 0 is the built-in one. */
  readonly layer: number;
  readonly index: PolicyIndex;
  /** In the order of their places. */
  readonly candidates: readonly Candidate[];
  readonly worker: string;
}

/** Their result. */
export interface Weighing {
  readonly rank: Rank;
  /** Whether the default takes part. */
  readonly isDefault: boolean;
  readonly answer: AnswerableBy | null;
  /** The standing grant that answers. */
  readonly grant: Candidate | null;
}

/** `truths` holds the result of each candidate's test. */
export function weigh({ index, candidates, worker }: Concern, truths: readonly Truth[]): Weighing {
  const { defaultRank, policy } = index;
  let rank = 0;
  let isDefault = true;
  for (let at = 0; at < candidates.length; at += 1) {
    const candidate = candidates[at] as Candidate;
    if (!hasSay(candidate, truths[at])) continue;
    const said = saidRank(candidate, truths[at]);
    if (said > rank) rank = said;
    if (truths[at] === true && replacesDefault(candidate.rule, worker)) isDefault = false;
  }
  if (isDefault && defaultRank > rank) rank = defaultRank;
  if (rank !== 1) return { rank, isDefault, answer: null, grant: null };
  const wantsPerson =
    (isDefault && defaultRank === 1 && policy.default.answer === 'person') ||
    candidates.some(
      (candidate, at) =>
        hasSay(candidate, truths[at]) &&
        saidRank(candidate, truths[at]) === 1 &&
        (candidate.asks || candidate.rule.answer === 'person'),
    );
  if (wantsPerson) return { rank, isDefault, answer: 'person', grant: null };
  const grant = candidates.find(({ isGrant, rule }, at) => isGrant && !rule.observe && truths[at] === true);
  return { rank, isDefault, answer: 'any', grant: grant ?? null };
}

/** The rank when a question that is answered counts as permitted. */
export function settledRank({ rank, grant }: Weighing): Rank {
  return grant === null ? rank : 0;
}

/** Whether a rule has a say in the decision: it applies, or may apply. */
export function hasSay({ rule, isGrant }: Candidate, truth: Truth | undefined): boolean {
  return truth !== false && !rule.observe && !isGrant;
}

/** The effective decision of a rule that counts. */
export function saidRank({ rank, asks }: Candidate, truth: Truth | undefined): Rank {
  return asks && truth !== true ? 1 : rank;
}

/** Core's `strictnessOf`, for the results of a policy's rules. */
export function levelOf({ rank, answer, grant }: Weighing): number {
  return rank * 4 + (answer === 'person' ? 2 : 0) + (grant === null ? 1 : 0);
}
