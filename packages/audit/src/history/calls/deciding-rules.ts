import { type Decision, type JsonObject, strictest } from '@ambit/core';
import { objectsOf } from '../../log/line/members.js';

/** The strictest judgements of a decision, each with the rules that caused it; open questions before answered ones. */
export function decidingJudgements(
  judgements: readonly JsonObject[],
): readonly { readonly judgement: JsonObject; readonly rules: readonly JsonObject[] }[] {
  const made = strictestIn(judgements);
  const deciding = judgements.filter(({ decision }) => decision === made);
  const open = deciding.filter(({ answered_by: by }) => (by ?? null) === null);
  return (open.length > 0 ? open : deciding).map((judgement) => ({
    judgement,
    rules: [...objectsOf(judgement.rules), ...objectsOf(judgement.undecided)].filter(
      ({ decision }) => decision === made,
    ),
  }));
}

export function strictestIn(judgements: readonly JsonObject[]): Decision {
  return strictest(['pre_approved', ...judgements.map(({ decision }) => decision as Decision)]);
}
