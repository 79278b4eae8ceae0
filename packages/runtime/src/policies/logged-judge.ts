import type { Judge } from '@ambit/audit';
import {
  answer,
  type Decide,
  type Grant,
  type KeptAnswer,
  type NonEmpty,
  type Policy,
  type Request,
} from '@ambit/core';
import { createEngine, keysRead, readsOf } from '@ambit/policy';

/** Judges calls that a log holds under other policies: what `replay` of `@ambit/audit` is given. */
export function loggedJudge(policies: NonEmpty<Policy>): Judge {
  const engine = createEngine();
  const decide: Decide = engine.decide;
  const names = policies.map(({ name }) => name);
  return {
    decide: (request: Request, grants: readonly Grant[]) =>
      answer(decide(request, policies), { request, policies, grants: grants.map(heard) }),
    settle: (request: Request) => engine.settle(request, policies),
    keysRead: (request: Request) => keysRead(policies, request),
    reads: readsOf(policies),
  };

  /** An answer counts for these policies, also under other names. */
  function heard(grant: Grant): Grant {
    if (grant.source !== 'kept') return grant;
    // Logs of earlier versions do not name them.
    const known = (grant as Partial<KeptAnswer>).policies ?? [];
    return known.some((name) => names.includes(name)) ? grant : { ...grant, policies: names };
  }
}
