import { answer, type Decide, type Grant, type NonEmpty, type Policy, type Request } from '@ambit/core';
import { createEngine, keysRead } from '@ambit/policy';

/** Judges calls that a log holds under other policies: what `replay` of `@ambit/audit` is given. */
export function loggedJudge(policies: NonEmpty<Policy>) {
  const decide: Decide = createEngine().decide;
  return {
    decide: (request: Request, grants: readonly Grant[]) =>
      answer(decide(request, policies), { request, policies, grants }),
    keysRead: (request: Request) => keysRead(policies, request),
  };
}
