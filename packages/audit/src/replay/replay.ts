import {
  type CallDecision,
  type Decision,
  type Grant,
  type Judgement,
  type NonEmpty,
  type Request,
  settle,
} from '@ambit/core';
import type { LogLine } from '../read-log.js';
import { createLoggedCalls, type LoggedCall } from './logged-call.js';
import { maskedKeys, touches } from './masked-keys.js';

/** What judges logged calls again. */
export interface Judge {
  readonly decide: (request: Request, grants: readonly Grant[]) => CallDecision;
  /** The keys of a call that the policies read; null where they may read anything. */
  readonly keysRead: (request: Request) => ReadonlySet<string> | null;
}

/** A decision of a log, and what the same call would be decided now. */
export interface ReplayedCall {
  readonly seq: number;
  readonly run: string;
  readonly call: string;
  readonly time: string;
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  readonly before: Decision;
  /** `unknown` where it depends on what was masked. */
  readonly after: Decision | 'unknown';
  /** Judged without what was masked: as strict as it may be. */
  readonly decision: CallDecision;
  /** The masked keys that a rule reads. */
  readonly masked: readonly string[];
}

/**
 * Judges every decision of a log again. Restrictions of worker files, which no policy file states, judge as they did. Calls that were
 * refused before they were judged are left out.
 */
export async function* replay(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  judge: Judge,
): AsyncGenerator<ReplayedCall, void, undefined> {
  const calls = createLoggedCalls();
  for await (const { entry } of lines) {
    const call = calls.accept(entry);
    if (call !== null) yield replayed(call, judge);
  }
}

/** The decision on a logged call now; what worker files and programs said stands beside it. */
export function judgedAgain(
  { request, grants, others }: Pick<LoggedCall, 'request' | 'grants' | 'others'>,
  judge: Judge,
): CallDecision {
  const judged = judge.decide(request, grants);
  return others.length === 0
    ? judged
    : { ...judged, decision: settle([...judged.judgements, ...(others as readonly Judgement[])]) };
}

function replayed(logged: LoggedCall, judge: Judge): ReplayedCall {
  const { seq, run, call, time, before, request } = logged;
  const decision = judgedAgain(logged, judge);
  const masked = maskedThatIsRead(request, judge);
  return {
    seq,
    run,
    call,
    time,
    chain: request.chain,
    tool: request.tool,
    before,
    after: masked.length > 0 ? 'unknown' : decision.decision,
    decision,
    masked,
  };
}

/** The keys of what was masked in a call, and may decide it. */
export function maskedThatIsRead(request: Request, judge: Judge): readonly string[] {
  const masked = maskedKeys(request);
  if (masked.length === 0) return masked;
  const read = judge.keysRead(request);
  return masked.filter((key) => read === null || [...read].some((one) => touches(one, key)));
}
