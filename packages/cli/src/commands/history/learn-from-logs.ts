import {
  bearingOnLearning,
  type Judge,
  type LearntLoad,
  learn,
  learntLoad,
  type PastCall,
  pastCalls,
  readLog,
} from '@ambit/audit';
import type { NonEmpty } from '@ambit/core';
import type { PolicyWorld } from '@ambit/policy';
import { policyTrials } from '@ambit/runtime';
import { UnloadableError, UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';
import { loadedPolicies, type PolicyOptions, policyFiles, policyWorld } from '../given/policies.js';
import { logMembers } from '../log/log-named.js';
import { nameOf } from '../log/verified-logs.js';
import type { OptionsOf } from '../table/table.js';
import { PoliciesInLogs } from './policies-in-logs.js';

export type LearningOptions = Pick<OptionsOf<'learn'>, 'policy' | 'root' | 'reach' | 'widen'>;

export async function learnFromLogs(host: Host, logs: readonly string[], options: LearningOptions) {
  const policies = new PoliciesInLogs();
  for (const log of logs) for await (const { entry } of readLog(log, ['policy'])) policies.accept(entry);
  const given = await policiesFor(host, { options, policies });
  const loaded = await loadedPolicies(given.files, given.world);
  const trials = policyTrials(loaded, given);
  const base = await trials.tryRules([]);
  const calls = await readCalls(host, logs, base.ok ? base.judge : null);
  const reach = options.reach ?? (trials.reach === 'call' ? 'arguments' : trials.reach);
  const { target, root, files, tryRules } = trials;
  const { widen = false } = options;
  const learning = await learn(calls, { target, reach, root, files, widen, tryRules });
  return { learning, trials, given, loaded, reach };
}

/** Then policies in the logs are not used. */
export function areFilesGiven(host: Host, { policy }: PolicyOptions): boolean {
  const { AMBIT_POLICY = '' } = host.environment;
  return policy.length > 0 || AMBIT_POLICY !== '';
}

/** For a second reading with known policies: most calls of a long log are not needed. */
async function readCalls(
  host: Host,
  logs: readonly string[],
  judge: Judge | null,
): Promise<readonly PastCall[]> {
  const kept = judge && { matters: bearingOnLearning(judge), args: judge.reads?.args !== false };
  const calls: PastCall[] = [];
  for (const log of logs) {
    const members = await logMembers(host, log);
    const options = { members: members.read, ...kept };
    // One by one: arguments of a single `push` must fit on the stack.
    for (const call of await pastCalls(nameOf(host, log), readLog(log), options)) calls.push(call);
    await members.warn();
  }
  return calls;
}

export interface GivenFiles {
  readonly files: NonEmpty<string>;
  readonly world: PolicyWorld;
  /** Whether these are files, not policies from the logs. */
  readonly areFiles: boolean;
}

/** The given policies, else those in the logs. */
async function policiesFor(
  host: Host,
  { options, policies }: { readonly options: LearningOptions; readonly policies: PoliciesInLogs },
): Promise<GivenFiles> {
  const logged = policies.judging();
  if (areFilesGiven(host, options)) {
    const files = await policyFiles(host, options.policy);
    const world = await policyWorld(host, options);
    // By default, `./` means the folder of the run.
    const root = options.root === undefined ? (logged?.world.root ?? world.root) : world.root;
    return { files, world: { ...world, root }, areFiles: true };
  }
  if (logged === null)
    throw new UnusableError('these logs hold no policy file', 'give the policies with --policy FILE');
  return { ...logged, areFiles: false };
}

/** What learned rules would save in these logs, under their own policies; or why nothing is learned. */
export async function learnableLoad(
  host: Host,
  logs: readonly string[],
  { isVerified }: { readonly isVerified: boolean },
): Promise<{ readonly learnt: LearntLoad | null; readonly why: string | null }> {
  if (!isVerified) return { learnt: null, why: 'a log does not verify, so nothing is learnt from it' };
  try {
    const { learning } = await learnFromLogs(host, logs, { policy: [] });
    return { learnt: learntLoad(learning), why: null };
  } catch (error) {
    if (error instanceof UnloadableError)
      return { learnt: null, why: 'a policy in these logs no longer loads' };
    if (error instanceof UnusableError) return { learnt: null, why: error.message };
    throw error;
  }
}
