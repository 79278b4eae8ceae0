import {
  type Direction,
  diffPolicies,
  formatAttenuation,
  formatDiff,
  type PolicyDifference,
  proveAttenuation,
} from '@ambit/analysis';
import { isWorkerName, jsonText, type NonEmpty } from '@ambit/core';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { type GivenPolicies, loadedPolicies, policyWorld } from '../given/policies.js';

type Failing = 'looser' | 'stricter' | 'any';

export interface DiffOptions {
  readonly old: readonly string[];
  readonly new: readonly string[];
  readonly with: readonly string[];
  readonly root: string;
  readonly failOn?: Failing;
  readonly json?: boolean;
}

/** Compares only the named policies with what they extend: a result in CI must not depend on the machine. */
export async function diff(
  host: Host,
  { old, now }: { readonly old: string; readonly now: string },
  options: DiffOptions,
): Promise<Exit> {
  const { failOn, json = false, with: both } = options;
  const world = await policyWorld(host, options);
  const before = await loadedPolicies([old, ...options.old, ...both], world);
  const after = await loadedPolicies([now, ...options.new, ...both], world);
  const difference = diffPolicies(before.policies, after.policies);
  const names = ({ files }: GivenPolicies) => files.map(({ name }) => name);
  const document = { old: names(before), new: names(after), ...difference };
  await write(host.stdout, `${json ? jsonText(document) : formatDiff(difference)}\n`);
  return failOn !== undefined && isAskedToFail(difference, failOn) ? exits.bad : exits.done;
}

/** An unknown change, or one that goes neither way, may be one that was asked to fail. */
function isAskedToFail({ equal, counts, unknown }: PolicyDifference, failOn: Failing): boolean {
  if (failOn === 'any') return !equal;
  const directions: readonly Direction[] = [failOn, 'other'];
  return unknown.length > 0 || directions.some((direction) => counts[direction] > 0);
}

export interface ProveOptions {
  readonly root: string;
  readonly json?: boolean;
}

export async function prove(
  host: Host,
  {
    child,
    parent,
    files,
  }: { readonly child: string; readonly parent: string; readonly files: NonEmpty<string> },
  { root, json = false }: ProveOptions,
): Promise<Exit> {
  for (const worker of [child, parent])
    if (!isWorkerName(worker)) throw new UnusableError(`not a worker name: \`${worker}\``);
  const { policies } = await loadedPolicies(files, await policyWorld(host, { root }));
  const proof = proveAttenuation(policies, { child, parent });
  const text = json ? jsonText({ child, parent, proof }) : formatAttenuation(proof, { child, parent });
  await write(host.stdout, `${text}\n`);
  return proof.status === 'proved' ? exits.done : exits.bad;
}
