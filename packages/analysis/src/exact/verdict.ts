import { type Decision, reaches, remembers } from '@ambit/core';
import type { Outcome } from './explore.js';
import type { Clause, Clauses } from './formula/clause.js';

export interface Verdict {
  readonly decision: Decision;
  /** For `needs_approval`. */
  readonly answer: 'any' | 'person' | null;
  /** Accepted answers, where these change. */
  readonly takes?: readonly string[];
}

const verdicts: Readonly<Record<Outcome['level'], Verdict>> = {
  0: { decision: 'pre_approved', answer: null },
  1: { decision: 'needs_approval', answer: 'any' },
  2: { decision: 'needs_approval', answer: 'person' },
  3: { decision: 'blocked', answer: null },
};

export function verdictOf({ level, questions }: Outcome, clauses: Clauses): Verdict {
  const verdict = verdicts[level];
  return questions.length === 0
    ? verdict
    : { ...verdict, takes: questions.map((id) => takenInWords(clauses.get(id))) };
}

function takenInWords({ workers, kept, unattended }: Clause): string {
  const answers = [
    'a person',
    ...(workers ? ['worker files'] : []),
    ...(kept === null ? [] : [`kept answers (${remembers[kept[0]]}, ${reaches[kept[1]]})`]),
    ...(unattended ? ['the mode approve_all'] : []),
  ];
  return answers.join(', ');
}

/** `needs_approval (by a person)`, with accepted answers where these change. */
export function verdictInWords({ decision, answer, takes = [] }: Verdict): string {
  if (takes.length > 0) return `${decision} (answered by: ${[...new Set(takes)].join('; and by: ')})`;
  return answer === 'person' ? `${decision} (by a person)` : decision;
}
