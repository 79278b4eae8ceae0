import { type CallDecision, type Decision, type Grant, type Request, settle } from '@ambit/core';
import { maskedKeys, maskedKeysBefore, touches } from '../../log/manifests/masked-keys.js';
import type { ReadMembers } from '../../log/manifests/read-manifest.js';
import { isListed } from '../../log/manifests/restore-sets.js';
import { type LogLine, readEvents } from '../../log/read/read-log.js';
import { type LoggedCall, LoggedCalls } from './logged-call.js';
import { type ReplayedCall, type ReplaySummary, Summing } from './summary.js';

export interface Judge {
  readonly decide: (request: Request, grants: readonly Grant[]) => CallDecision;
  /** The keys of a call that the policies read; null for any. */
  readonly keysRead: (request: Request) => ReadonlySet<string> | null;
  /** Only the decision of `decide`, without grants; absent if it is not faster. */
  readonly settle?: (request: Request) => Decision;
  /** What the rules read, for any call; null or absent if unknown. */
  readonly reads?: JudgeReads | null;
}

/** What a judgement depends on, besides caller and tool. */
export interface JudgeReads {
  /** The facts of capabilities; null for any. */
  readonly facts: ReadonlySet<string> | null;
  readonly args: boolean;
  readonly history: boolean;
  readonly time: boolean;
}

/** Judges every decision of a log again. Restrictions of worker files stay. Unjudged calls are left out. */
export async function* replay(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  judge: Judge,
  members: ReadMembers | null = null,
): AsyncGenerator<ReplayedCall, void, undefined> {
  const calls = new LoggedCalls({ members });
  for await (const { entry, file } of lines) {
    const call = calls.accept(entry, file);
    if (call !== null) yield replayed(call, judge);
  }
}

const replayedEvents = ['policy', 'decision', 'approval'] as const;

export async function replayFile(
  log: string,
  judge: Judge,
  members: ReadMembers | null = null,
): Promise<ReplaySummary> {
  const history = judge.reads?.history !== false;
  const calls = new LoggedCalls({ history, members });
  const summing = new Summing();
  for await (const lines of readEvents(log, replayedEvents))
    for (const { entry, file, masked } of lines) {
      const call = calls.accept(entry, file);
      if (call === null) continue;
      const isPlain = masked === false && !hasSet(call) && unknownBy(call, judge).length === 0;
      if (isPlain && staysBy(judge, call, call.before))
        summing.same(call.before, new Map([[call.time.slice(0, 10), 1]]));
      else summing.accept(replayed(call, judge, !isPlain));
    }
  return summing.summary(calls.counts());
}

/** Whether a call certainly has the same decision. Most have, and need no explanation. */
export function staysBy(
  judge: Judge,
  of: Pick<LoggedCall, 'request' | 'grants' | 'others'>,
  before: Decision,
): boolean {
  return of.grants.length === 0 && of.others.length === 0 && judge.settle?.(of.request) === before;
}

/** The current decision on a logged call, beside the restrictions of worker files and programs. */
export function judgedAgain(
  { request, grants, others }: Pick<LoggedCall, 'request' | 'grants' | 'others'>,
  judge: Judge,
): CallDecision {
  const judged = judge.decide(request, grants);
  return others.length === 0 ? judged : { ...judged, decision: settle([...judged.judgements, ...others]) };
}

/** Whether members were read for it: a manifest may hold masked values. */
export function hasSet({ request }: Pick<LoggedCall, 'request'>): boolean {
  return request.capabilities.some(({ path }) => typeof path === 'object' && path !== null);
}

/** Why the files of the call, or a part of the history that the judge reads, are unknown. */
function unknownBy(
  { request, unread }: Pick<LoggedCall, 'request' | 'unread'>,
  judge: Judge,
): readonly string[] {
  if (unread.length > 0 || judge.reads?.history === false) return unread;
  const { history } = request;
  if (history.some(isListed))
    return ['the run was permitted an earlier file set, and its manifest cannot be used'];
  const masked = maskedKeysBefore(history);
  if (masked.length === 0) return unread;
  // Only combinations read the history.
  const read = maskedThatIsRead({ ...request, capabilities: [] as never }, judge, masked);
  return read.map((key) => `\`${key}\` of an earlier call was masked`);
}

/** `mayBeMasked: false` skips the search for masked values. */
export function replayed(logged: LoggedCall, judge: Judge, mayBeMasked = true): ReplayedCall {
  const { seq, file, run, call, time, before, request } = logged;
  const decision = judgedAgain(logged, judge);
  const masked = mayBeMasked ? maskedThatIsRead(request, judge) : nothing;
  const unread = unknownBy(logged, judge);
  return {
    seq,
    file,
    run,
    call,
    time,
    chain: request.chain,
    tool: request.tool,
    before,
    after: masked.length + unread.length > 0 ? 'unknown' : decision.decision,
    decision,
    masked,
    unread,
  };
}

const nothing: readonly string[] = [];

/** The keys of masked values that may decide a call. */
export function maskedThatIsRead(request: Request, judge: Judge, masked = maskedKeys(request)) {
  if (masked.length === 0) return masked;
  const read = judge.keysRead(request);
  return masked.filter((key) => read === null || [...read].some((one) => touches(one, key)));
}
