import { type Decision, type JsonObject, strictest } from '@ambit/core';
import { objectsOf, wordsOf } from '../../log/line/members.js';

/**
 * The names of the rules that caused the strictest judgements of a decision, or `default of FILE`, each once. Where
 * some of these judgements are open questions, answered ones do not count.
 */
export function decidingNames(
  judgements: readonly JsonObject[],
  nameOf: (rule: JsonObject) => string,
): readonly string[] {
  const made = strictestIn(judgements);
  const deciding = judgements.filter(({ decision }) => decision === made);
  const open = deciding.filter(({ answered_by: by }) => (by ?? null) === null);
  const names = (open.length > 0 ? open : deciding).flatMap((judgement) => [
    ...[...objectsOf(judgement.rules), ...objectsOf(judgement.undecided)]
      .filter(({ decision }) => decision === made)
      .map(nameOf),
    ...(judgement.default === true ? [`default of ${wordsOf(judgement.policy)}`] : []),
  ]);
  return [...new Set(names)];
}

export function strictestIn(judgements: readonly JsonObject[]): Decision {
  return strictest(['pre_approved', ...judgements.map(({ decision }) => decision as Decision)]);
}
