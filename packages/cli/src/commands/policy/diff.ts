import { type Direction, diffPolicies, formatDiff, type PolicyDifference } from '@ambit/analysis';
import { loadPolicies } from '@ambit/policy';
import type { NonEmpty } from '@ambit/runtime';
import { type Exit, exits, UnloadableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { jsonText } from '../../view/json-text.js';
import { type GivenPolicies, policyWorld } from '../given/policies.js';

/** What may be asked to fail. */
type Failing = 'looser' | 'stricter' | 'any';

export interface DiffOptions {
  readonly old: readonly string[];
  readonly new: readonly string[];
  readonly with: readonly string[];
  readonly root: string;
  readonly failOn?: Failing;
  readonly json?: boolean;
}

/** The policies that are named and what they extend, and no others: what a pipeline is told must not depend on its machine. */
export async function diff(
  host: Host,
  { old, now }: { readonly old: string; readonly now: string },
  options: DiffOptions,
): Promise<Exit> {
  const { failOn, json = false, with: both } = options;
  const before = await loaded(host, [old, ...options.old, ...both], options);
  const after = await loaded(host, [now, ...options.new, ...both], options);
  const difference = diffPolicies(before.policies, after.policies);
  const names = ({ files }: GivenPolicies) => files.map(({ name }) => name);
  const document = { old: names(before), new: names(after), ...difference };
  await write(host.stdout, `${json ? jsonText(document) : formatDiff(difference)}\n`);
  return failOn !== undefined && isAskedToFail(difference, failOn) ? exits.bad : exits.done;
}

/** What is not settled, or goes neither way, might be what was asked for. */
function isAskedToFail({ equal, counts, unknown }: PolicyDifference, failOn: Failing): boolean {
  if (failOn === 'any') return !equal;
  const directions: readonly Direction[] = [failOn, 'other'];
  return unknown.length > 0 || directions.some((direction) => counts[direction] > 0);
}

async function loaded(
  host: Host,
  files: NonEmpty<string>,
  options: { readonly root: string },
): Promise<GivenPolicies> {
  const result = await loadPolicies(files, await policyWorld(host, options));
  if (!result.ok) throw new UnloadableError(result.diagnostics);
  return result;
}
