import type { ReadMembers } from '../../log/manifests/read-manifest.js';
import { restoredSets, unreadSets } from '../../log/manifests/restore-sets.js';
import { beforeOf, callOf, levelFor, timesOf } from './call-index.js';
import type { OpenIndex } from './index-file.js';
import { hasSet, type Judge, replayed, staysBy } from './replay.js';
import { type ReplaySummary, Summing } from './summary.js';

/** Whether an index holds everything that a judge reads: neither history nor time. */
export function canReplayIndexed({ reads }: Judge): boolean {
  return reads !== undefined && reads !== null && !reads.history && !reads.time;
}

/** Null if the index lacks what the judge reads, since the calls of the log differ too much. */
export async function replayIndex(
  open: OpenIndex,
  judge: Judge,
  members: ReadMembers | null = null,
): Promise<ReplaySummary | null> {
  const { reads } = judge;
  if (reads === undefined || reads === null || !canReplayIndexed(judge))
    throw new TypeError('the judge reads values that the index lacks');
  const index = await open.level(levelFor(reads));
  if (index === null) return null;
  const summing = new Summing();
  for (const [at, row] of index.alike.entries()) {
    const logged = restored(callOf(row, index), members);
    const isPlain = !index.masked && !hasSet(logged);
    const [before, times] = [beforeOf(row), timesOf(row, index)];
    if (isPlain && staysBy(judge, logged, before)) summing.same(before, times);
    else {
      const [seq, file, run, call] = index.examples[at] ?? [0, null, '', ''];
      summing.accept(replayed({ ...logged, before, seq, file, run, call, time: '' }, judge, !isPlain), times);
    }
  }
  return summing.summary(index.counts);
}

function restored(call: ReturnType<typeof callOf>, members: ReadMembers | null) {
  const { capabilities } = call.request;
  const found = members === null ? capabilities : restoredSets(capabilities, members);
  return { ...call, request: { ...call.request, capabilities: found }, unread: unreadSets(found, members) };
}
