import { beforeOf, callOf, levelFor, timesOf } from './call-index.js';
import type { OpenIndex } from './index-file.js';
import { type Judge, replayed, staysBy } from './replay.js';
import { createSummary, type ReplaySummary } from './summary.js';

/** Whether what a judge reads of calls is all in an index: not what a run was permitted before, nor when it was. */
export function canReplayIndexed({ reads }: Judge): boolean {
  return reads !== undefined && reads !== null && !reads.history && !reads.time;
}

/** Sums up what would change in a log, of which each decision that differs is judged once. */
export async function replayIndex(open: OpenIndex, judge: Judge): Promise<ReplaySummary> {
  const { reads } = judge;
  if (reads === undefined || reads === null || !canReplayIndexed(judge))
    throw new TypeError('the judge reads what no index holds');
  const index = await open.level(levelFor(reads));
  const summing = createSummary();
  for (const [at, row] of index.alike.entries()) {
    const logged = callOf(row, index);
    const [before, times] = [beforeOf(row), timesOf(row, index)];
    if (!index.masked && staysBy(judge, logged, before)) summing.same(before, times);
    else {
      const [seq, run, call] = index.examples[at] ?? [0, '', ''];
      summing.accept(replayed({ ...logged, before, seq, run, call, time: '' }, judge, index.masked), times);
    }
  }
  return summing.summary();
}
