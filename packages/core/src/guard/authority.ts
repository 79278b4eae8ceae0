import type { AskedCall } from '../asking/asked-call.js';
import type { Grant, ReferenceGrant } from '../decide/grant.js';
import { takePolicies } from '../decide/made/take-policy.js';
import { builtIn, type Policy } from '../decide/policy.js';
import type { CallOutcome } from '../tool/outcome.js';
import type { NonEmpty } from '../words/decision.js';
import { frozenCopy, type Json } from '../words/json.js';
import { isWorkerName } from '../words/name.js';
import { type Run, requireDistinctNames } from './run.js';

export interface Authority {
  readonly run: Run;
  /** Root first; the last one acts. */
  readonly chain: NonEmpty<string>;
  /** From worker files. */
  readonly layers: readonly Policy[];
  /** From the worker's reference to the toolset. */
  readonly grants: readonly ReferenceGrant[];
}

export function entryAuthority(run: Run, worker: string, layers: readonly Policy[] = []): Authority {
  return checkAuthority({ run, chain: [worker], layers, grants: [] });
}

/** Grants are not inherited. */
export function delegate(caller: Authority, worker: string, layers: readonly Policy[] = []): Authority {
  const added = takePolicies(layers).filter((layer) => !caller.layers.includes(layer));
  return checkAuthority({
    run: caller.run,
    chain: [...caller.chain, worker],
    layers: [...caller.layers, ...added],
    grants: [],
  });
}

export function forReference(
  authority: Authority,
  reference: { readonly layers: readonly Policy[]; readonly grants: readonly ReferenceGrant[] },
): Authority {
  return checkAuthority({
    ...authority,
    layers: [...authority.layers, ...reference.layers],
    grants: reference.grants,
  });
}

export function policiesOf({ run, layers }: Authority): NonEmpty<Policy> {
  return layers.length === 0 ? run.policies : [...run.policies, ...layers];
}

export function grantsOf({ run, grants }: Authority, tool: string): readonly Grant[] {
  const { kept } = run.asker.memory;
  if (grants.length === 0 && kept.length === 0) return grants;
  return [...grants, ...kept].filter((grant) => grant.tool === tool);
}

function checkAuthority(given: Authority): Authority {
  const authority = { ...given, layers: Object.freeze(takePolicies(given.layers)) };
  const odd = authority.chain.find((worker) => !isWorkerName(worker));
  if (odd !== undefined) throw new TypeError(`\`${odd}\` is not a worker name: [a-z][a-z0-9_-]*`);
  requireDistinctNames([builtIn, ...policiesOf(authority)]);
  return { ...authority, chain: frozenCopy<Json>([...authority.chain]) as NonEmpty<string> };
}

export interface IncomingCall {
  /** In the log. */
  readonly id: string;
  /** The full name that the model used. */
  readonly name: string;
  readonly authority: Authority;
  readonly signal: AbortSignal;
  /** The call that makes this one; null for a model's call. */
  readonly parent: CallInProgress | null;
}

export interface CallInProgress extends IncomingCall, AskedCall {
  /** Makes a call of any tool of the worker. */
  readonly callWithin: (call: {
    tool: string;
    args: unknown;
    signal: AbortSignal;
    parent: CallInProgress;
  }) => Promise<CallOutcome>;
}
