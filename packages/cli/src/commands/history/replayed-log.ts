import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildIndex,
  canReplayIndexed,
  type Judge,
  openIndex,
  type ReadMembers,
  type ReplaySummary,
  replayFile,
  replayIndex,
} from '@ambit/audit';
import { openStateFolder } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { logMembers } from '../log/log-members.js';

/** A shorter log is read as fast as its index would be. */
const leastBytes = 1_000_000;

/**
 * The changes that a judge would make in a log: by its index, which is created on first use in the state
 * folder, if possible.
 */
export async function replayedLog(
  host: Host,
  log: string,
  { judge, index }: { readonly judge: Judge; readonly index: boolean },
): Promise<ReplaySummary> {
  const members = await logMembers(host, log);
  const summary = await summaryOf(host, log, { judge, index, members: members.read });
  await members.warn();
  return summary;
}

async function summaryOf(
  host: Host,
  log: string,
  {
    judge,
    index,
    members,
  }: { readonly judge: Judge; readonly index: boolean; readonly members: ReadMembers },
): Promise<ReplaySummary> {
  const isLong = index && canReplayIndexed(judge) && (await stat(log)).size >= leastBytes;
  const file = isLong ? await indexFile(host, log).catch(() => null) : null;
  if (file === null) return replayFile(log, judge, members);
  const known = await openIndex(log, file);
  if (known !== null) return replayIndex(known, judge, members);
  const built = await buildIndex(log);
  // Without a place to keep it, it is made again the next time.
  await built.save(file).catch(() => false);
  return replayIndex(built, judge, members);
}

async function indexFile(host: Host, log: string): Promise<string> {
  const folder = join(await openStateFolder(host.environment, host.folder), 'replay');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const digest = createHash('sha256')
    .update(await realpath(log))
    .digest('hex');
  return join(folder, `${digest.slice(0, 32)}.index`);
}
