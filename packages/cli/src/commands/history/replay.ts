import { hash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildIndex,
  canReplayIndexed,
  formatSummary,
  type Judge,
  openIndex,
  type ReplaySummary,
  replayFile,
  replayIndex,
  sumOf,
} from '@ambit/audit';
import type { NonEmpty } from '@ambit/core';
import { loggedJudge, openStateFolder } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, print } from '../../host.js';
import { givenPolicies } from '../given/policies.js';
import { logMembers } from '../log/log-named.js';
import { verifiedLogs } from '../log/verified-logs.js';
import type { Way } from '../table/policy-commands.js';
import type { OptionsOf } from '../table/table.js';

export async function replay(
  host: Host,
  files: NonEmpty<string>,
  { failOn, json = false, index, unverified = false, ...options }: OptionsOf<'replay'>,
): Promise<Exit> {
  const { policies } = await givenPolicies(host, options);
  const judge = loggedJudge(policies);
  const { logs, mark, banner, exit } = await verifiedLogs(host, files, { unverified });
  const summaries: ReplaySummary[] = [];
  for (const log of logs) summaries.push(await replayedLog(host, log, { judge, index }));
  const summary = sumOf(summaries);
  await print(host, json ? { ...summary, ...mark } : `${banner}${formatSummary(summary)}`);
  return failOn !== undefined && isAskedToFail(summary, failOn) ? exits.bad : exit;
}

/** An unknown result might be the looked-for one. */
function isAskedToFail({ looser, stricter, unknown }: ReplaySummary, failOn: Way): boolean {
  const counts = { looser, stricter, any: looser + stricter };
  return counts[failOn] + unknown > 0;
}

/** A shorter log is read as fast as its index would be. */
const leastBytes = 1_000_000;

/** Uses the log's index in the state folder, and creates it on first use. */
async function replayedLog(
  host: Host,
  log: string,
  { judge, index }: { readonly judge: Judge; readonly index: boolean },
): Promise<ReplaySummary> {
  const members = await logMembers(host, log);
  const isLong = index && canReplayIndexed(judge) && (await stat(log)).size >= leastBytes;
  const file = isLong ? await indexFile(host, log).catch(() => null) : null;
  const indexed =
    file === null
      ? null
      : await replayIndex((await openIndex(log, file)) ?? (await newIndex(log, file)), judge, members.read);
  const summary = indexed ?? (await replayFile(log, judge, members.read));
  await members.warn();
  return summary;
}

/** Without a place to keep it, it is built again the next time. */
async function newIndex(log: string, file: string) {
  const built = await buildIndex(log);
  await built.save(file).catch(() => false);
  return built;
}

async function indexFile(host: Host, log: string): Promise<string> {
  const folder = join(await openStateFolder(host.environment, host.folder), 'replay');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const digest = hash('sha256', await realpath(log));
  return join(folder, `${digest.slice(0, 32)}.index`);
}
