import type { CallDecision, Judgement } from '../../src/index.js';
import { someCase } from '../arbitrary/case.js';
import { decisionOn } from '../engine.js';
import { oracle } from '../oracle.js';
import { type Law, law } from './law.js';

/** Not a sentence of the semantics but all of them at once: an engine that is too strict breaks this and no law. */
export const restatement: Law = law(
  'the decision is the one that the sentences give, for every way that undecided rules may turn out',
  someCase(),
  (engine, given) => {
    const { decision, before, after } = oracle(given);
    const found = decisionOn(engine, given);
    return (
      found.decision === decision &&
      isSame(before, said(found, levelBefore)) &&
      isSame(after, said(found, levelAfter))
    );
  },
);

/** The built-in policy speaks for itself: the oracle knows what it says. */
function said({ judgements }: CallDecision, level: (judgement: Judgement) => string): readonly string[] {
  return judgements.filter((judgement) => judgement.policy !== 'built-in').map(level);
}

function levelBefore({ decision, answer }: Judgement): string {
  if (decision === 'pre_approved') return 'runs';
  if (decision === 'blocked') return 'never';
  return answer === 'person' ? 'asks a person' : 'asks';
}

function levelAfter(judgement: Judgement): string {
  return judgement.answered_by === null ? levelBefore(judgement) : 'runs';
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((level, index) => level === other[index]);
}
