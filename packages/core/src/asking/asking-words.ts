import type { CallDecision, Judgement } from '../decide/decide.js';
import type { Policy } from '../decide/policy.js';
import type { Rule } from '../decide/rule.js';

/**
 * The reason and the alternative of the rules that ask: the first of each, by policy and place. Answered
 * questions do not count.
 */
export function askingWords(
  questions: readonly Judgement[],
  policies: readonly Policy[],
): Pick<CallDecision, 'reason' | 'instead'> {
  const asks = ({ name }: Policy, { id, decision }: Rule) =>
    questions.some(
      (question) =>
        question.policy === name &&
        question.decision === decision &&
        [...question.rules, ...question.undecided].some((rule) => rule.id === id),
    );
  const rules = policies.flatMap((policy) => policy.rules.filter((rule) => asks(policy, rule)));
  const first = (key: 'reason' | 'instead') => rules.find((rule) => rule[key] !== null)?.[key] ?? null;
  return { reason: first('reason'), instead: first('instead') };
}
