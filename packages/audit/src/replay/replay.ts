import {
  type CallDecision,
  createRequest,
  type Decision,
  decisions,
  type Grant,
  isJsonObject,
  isNonEmpty,
  type Judgement,
  type NonEmpty,
  type Request,
  settle,
} from '@ambit/core';
import type { LogEntry } from '../line.js';
import { LogError } from '../log-error.js';
import type { LogLine } from '../read-log.js';
import { maskedKeys, touches } from './masked-keys.js';
import { createPermitted } from './permitted.js';

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
  const permitted = createPermitted();
  const files = new Map<string, ReadonlySet<string>>();
  for await (const { entry } of lines) {
    if (entry.event === 'policy')
      files.set(entry.run, new Set([...(files.get(entry.run) ?? []), ...namesIn(entry)]));
    if (entry.event === 'decision' && isDecision(entry.decision)) {
      const history = permitted.at(entry.run, namesOf(entry.history));
      yield replayed(entry, { judge, history, files: files.get(entry.run) ?? new Set() });
    }
    permitted.accept(entry);
  }
}

function replayed(
  entry: LogEntry,
  at: {
    readonly judge: Judge;
    readonly history: Request['history'];
    readonly files: ReadonlySet<string>;
  },
): ReplayedCall {
  const call = loggedCall(entry);
  const request = createRequest({ ...call, history: at.history, now: Date.parse(entry.time) });
  const judged = at.judge.decide(request, listOf<Grant>(entry.grants));
  // Worker files and programs restrict too; what they said stands in the log, and they have not changed.
  const others = listOf<Judgement>(entry.judgements).filter(
    ({ policy }) => policy !== 'built-in' && !at.files.has(policy),
  );
  const decision = { ...judged, decision: settle([...judged.judgements, ...others]) };
  const read = at.judge.keysRead(request);
  const masked = maskedKeys(call).filter(
    (key) => read === null || [...read].some((one) => touches(one, key)),
  );
  return {
    seq: entry.seq,
    run: entry.run,
    call: entry.call as string,
    time: entry.time,
    chain: call.chain,
    tool: call.tool,
    before: entry.decision as Decision,
    after: masked.length > 0 ? 'unknown' : decision.decision,
    decision,
    masked,
  };
}

/** Throws a `LogError` on a decision that lacks what every decision has. */
function loggedCall({ seq, tool, chain, args, capabilities, context }: LogEntry) {
  const carried = listOf<CallDecision['capabilities'][number]>(capabilities);
  const workers = listOf<string>(chain);
  if (typeof tool !== 'string' || !isNonEmpty(workers) || !isNonEmpty(carried))
    throw new LogError('BAD_LINE', `entry ${seq} is not a decision on a call`, { line: seq + 1 });
  return {
    tool,
    chain: workers,
    args: isJsonObject(args) ? args : {},
    capabilities: carried,
    context: isJsonObject(context) ? context : {},
  };
}

function isDecision(value: unknown): value is Decision {
  return decisions.some((decision) => decision === value);
}

function namesIn(entry: LogEntry): readonly string[] {
  return listOf<{ readonly name?: unknown }>(entry.files).map(({ name }) => String(name));
}

function namesOf(history: unknown): readonly string[] {
  return listOf(history).map(String);
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
