import fc from 'fast-check';
import { equalJson, isOpenQuestion, type Json, type Judgement, strictest } from '../../src/index.js';
import { type Case, someCase } from '../arbitrary/case.js';
import { policyCalled } from '../arbitrary/policy.js';
import type { Engine } from '../engine.js';
import { type Law, law } from './law.js';

export const lawsOfGrants: readonly Law[] = [
  law(
    'a grant turns `needs_approval` into `pre_approved` and nothing else; twice is once',
    someCase(),
    (engine, given) => {
      const before = engine.decide(given.request, given.policies);
      const once = engine.answer(before, given);
      const again = engine.answer(once, given);
      const twice = engine.answer(before, { ...given, grants: [...given.grants, ...given.grants] });
      const isOnlyAnswered = before.judgements.every((judgement, index) => {
        const after = once.judgements[index];
        if (after === undefined) return false;
        const isAnswered = isOpenQuestion(judgement) && after.answered_by !== null;
        return isEqual(after, isAnswered ? { ...judgement, answered_by: after.answered_by } : judgement);
      });
      return (
        isOnlyAnswered &&
        once.judgements.length === before.judgements.length &&
        once.decision === settled(once.judgements) &&
        isEqual({ ...before, decision: null, judgements: [] }, { ...once, decision: null, judgements: [] }) &&
        isEqual(again, once) &&
        isEqual(twice, once)
      );
    },
  ),
  law(
    'no grant, mode, kept answer or worker file turns `blocked` into anything else',
    fc.record({ given: someCase(), workerFile: policyCalled('helper.worker') }),
    (engine, { given, workerFile }) => {
      const before = engine.decide(given.request, given.policies);
      if (before.decision !== 'blocked') return true;
      const generous = { ...workerFile, admits: { ...workerFile.admits, workers: true, unattended: true } };
      const policies = [...given.policies, generous] as const;
      const after = engine.answer(engine.decide(given.request, policies), { ...given, policies });
      return (
        after.decision === 'blocked' &&
        engine.answer(before, given).decision === 'blocked' &&
        blockedIn(after).every((judgement) => judgement.answered_by === null) &&
        blockedIn(after).every((judgement) => !engine.admitsUnattended(judgement, policies))
      );
    },
  ),
  law(
    "nothing but a person's answer to this call answers a question that wants a person",
    someCase(),
    (engine, given) => {
      const open = questionsOfAPerson(engine, given);
      return (
        open.every((judgement) => judgement.answered_by === null) &&
        open.every((judgement) => !engine.admitsUnattended(judgement, given.policies)) &&
        (open.length === 0 || engine.keepable(open, given.policies) === null)
      );
    },
  ),
];

function questionsOfAPerson(engine: Engine, given: Case): readonly Judgement[] {
  const after = engine.answer(engine.decide(given.request, given.policies), given);
  return after.judgements.filter((judgement) => judgement.answer === 'person');
}

function blockedIn({ judgements }: { judgements: readonly Judgement[] }): readonly Judgement[] {
  return judgements.filter((judgement) => judgement.decision === 'blocked');
}

/** The strictest of the judgements, those that were answered left out. */
function settled(judgements: readonly Judgement[]) {
  const open = judgements.filter((judgement) => judgement.answered_by === null);
  return strictest(['pre_approved', ...open.map((judgement) => judgement.decision)]);
}

function isEqual(one: object, other: object): boolean {
  return equalJson(one as Json, other as Json);
}
