import { formatSummary, type ReplaySummary, sumOf } from '@ambit/audit';
import { jsonText, type NonEmpty } from '@ambit/core';
import { loggedJudge } from '@ambit/runtime';
import { type Exit, exits, readingLog } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { givenPolicies, type PolicyOptions } from '../given/policies.js';
import { verifiedLogs } from '../log/verified-logs.js';
import { replayedLog } from './replayed-log.js';

export interface ReplayOptions extends PolicyOptions {
  readonly failOn?: 'looser' | 'stricter' | 'any';
  /** Whether an index of the log may be used, and made. */
  readonly index?: boolean;
  readonly json?: boolean;
  readonly unverified?: boolean;
}

/** The decisions of these logs under these policies. */
export async function replay(
  host: Host,
  files: NonEmpty<string>,
  { failOn, json = false, index = true, unverified = false, ...options }: ReplayOptions,
): Promise<Exit> {
  const { policies } = await givenPolicies(host, options);
  return readingLog(host, async () => {
    const judge = loggedJudge(policies);
    const { logs, mark, banner, exit } = await verifiedLogs(host, files, { unverified });
    const summaries: ReplaySummary[] = [];
    for (const log of logs) summaries.push(await replayedLog(host, log, { judge, index }));
    const summary = sumOf(summaries);
    const text = json ? jsonText({ ...summary, ...mark }) : `${banner}${formatSummary(summary)}`;
    await write(host.stdout, `${text}\n`);
    return failOn !== undefined && isAskedToFail(summary, failOn) ? exits.bad : exit;
  });
}

/** An unknown result might be the looked-for one. */
function isAskedToFail(
  { looser, stricter, unknown }: ReplaySummary,
  failOn: 'looser' | 'stricter' | 'any',
): boolean {
  const counts = { looser, stricter, any: looser + stricter };
  return counts[failOn] + unknown > 0;
}
