import { type LearntLoad, learntLoad } from '@ambit/audit';
import { UnloadableError, UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';
import { learnFromLogs } from './learn-from-logs.js';

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
