import { type Decision, type JsonObject, strictest } from '@ambit/core';
import { objectsOf } from '../../log/line/members.js';

/** The judgements of a decision that are as strict as the strictest, each with the rules that made it so. */
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
