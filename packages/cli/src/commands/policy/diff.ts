import {
  type Direction,
  diffPolicies,
  formatAttenuation,
  formatDiff,
  type PolicyDifference,
  proveAttenuation,
} from '@ambit/analysis';
import type { NonEmpty } from '@ambit/core';
import { type Exit, exits } from '../../failure.js';
import { type Host, print } from '../../host.js';
import { type GivenPolicies, loadedPolicies, policyWorld, sayUnnamed } from '../given/policies.js';
import type { Way } from '../table/policy-commands.js';
import type { OptionsOf } from '../table/table.js';

/** Compares only the named policies with what they extend: a result in CI must not depend on the machine. */
export async function diff(host: Host, old: string, now: string, options: OptionsOf<'diff'>): Promise<Exit> {
  const { failOn, with: both } = options;
  const world = await policyWorld(host, options);
  const before = await loadedPolicies([old, ...options.old, ...both], world);
  const after = await loadedPolicies([now, ...options.new, ...both], world);
  const difference = diffPolicies(before.policies, after.policies);
  const names = ({ files }: GivenPolicies) => files.map(({ name }) => name);
  const document = { old: names(before), new: names(after), ...difference };
  await print(host, options.json ? document : formatDiff(difference));
  return failOn !== undefined && isAskedToFail(difference, failOn) ? exits.bad : exits.done;
}

/** An unknown or neutral change might be one that should fail. */
function isAskedToFail({ equal, counts, unknown }: PolicyDifference, failOn: Way): boolean {
  if (failOn === 'any') return !equal;
  const directions: readonly Direction[] = [failOn, 'other'];
  return unknown.length > 0 || directions.some((direction) => counts[direction] > 0);
}

export async function prove(
  host: Host,
  child: string,
  parent: string,
  files: NonEmpty<string>,
  { root, json }: OptionsOf<'prove'>,
): Promise<Exit> {
  const { policies } = await loadedPolicies(files, await policyWorld(host, { root }));
  for (const worker of new Set([child, parent])) await sayUnnamed(host, policies, worker);
  const proof = proveAttenuation(policies, { child, parent });
  await print(host, json ? { child, parent, proof } : formatAttenuation(proof, { child, parent }));
  return proof.status === 'proved' ? exits.done : exits.bad;
}
