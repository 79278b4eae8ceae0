import { type Decision, type JsonObject, strictest } from '@ambit/core';
import { objectsOf } from '../../log/line/members.js';

/** The strictest judgements of a decision, each with the rules that caused it. */
export function decidingJudgements(
  judgements: readonly JsonObject[],
): readonly { readonly judgement: JsonObject; readonly rules: readonly JsonObject[] }[] {
  const made = strictestIn(judgements);
  return judgements
    .filter(({ decision }) => decision === made)
    .map((judgement) => ({
      judgement,
      rules: [...objectsOf(judgement.rules), ...objectsOf(judgement.undecided)].filter(
        ({ decision }) => decision === made,
      ),
    }));
}

export function strictestIn(judgements: readonly JsonObject[]): Decision {
  return strictest(['pre_approved', ...judgements.map(({ decision }) => decision as Decision)]);
}
