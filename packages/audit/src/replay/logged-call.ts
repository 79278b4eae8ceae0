import {
  type CallDecision,
  createRequest,
  type Decision,
  decisions,
  type Grant,
  isJsonObject,
  isNonEmpty,
  type Judgement,
  type Request,
} from '@ambit/core';
import type { LogEntry } from '../line.js';
import { LogError } from '../log-error.js';
import { createPermitted } from './permitted.js';

/** A decision that a log records, as what was judged then. */
export interface LoggedCall {
  readonly seq: number;
  readonly run: string;
  readonly call: string;
  readonly time: string;
  readonly before: Decision;
  readonly request: Request;
  readonly grants: readonly Grant[];
  /** What worker files and programs said: no policy file states it, so it stays. */
  readonly others: readonly Judgement[];
}

/** Follows the entries of a log, in their order, and gives the calls that were judged. */
export interface LoggedCalls {
  /** Null for what is no decision on a call. Throws a `LogError` on a decision that lacks what every decision has. */
  accept(entry: LogEntry): LoggedCall | null;
}

export function createLoggedCalls(): LoggedCalls {
  const permitted = createPermitted();
  const files = new Map<string, ReadonlySet<string>>();
  return {
    accept: (entry) => {
      if (entry.event === 'policy')
        files.set(entry.run, new Set([...(files.get(entry.run) ?? []), ...namesIn(entry)]));
      const call =
        entry.event === 'decision' && isDecision(entry.decision)
          ? loggedCall(entry, {
              history: permitted.at(entry.run, listOf(entry.history).map(String)),
              files: files.get(entry.run) ?? new Set(),
            })
          : null;
      permitted.accept(entry);
      return call;
    },
  };
}

function loggedCall(
  entry: LogEntry,
  at: { readonly history: Request['history']; readonly files: ReadonlySet<string> },
): LoggedCall {
  const { seq, run, time, tool, chain, args, capabilities, context } = entry;
  const carried = listOf<CallDecision['capabilities'][number]>(capabilities);
  const workers = listOf<string>(chain);
  if (typeof tool !== 'string' || !isNonEmpty(workers) || !isNonEmpty(carried))
    throw new LogError('BAD_LINE', `entry ${seq} is not a decision on a call`, { line: seq + 1 });
  return {
    seq,
    run,
    time,
    call: entry.call as string,
    before: entry.decision as Decision,
    request: createRequest({
      tool,
      chain: workers,
      args: isJsonObject(args) ? args : {},
      capabilities: carried,
      context: isJsonObject(context) ? context : {},
      history: at.history,
      now: Date.parse(time),
    }),
    grants: listOf<Grant>(entry.grants),
    others: listOf<Judgement>(entry.judgements).filter(
      ({ policy }) => policy !== 'built-in' && !at.files.has(policy),
    ),
  };
}

function isDecision(value: unknown): value is Decision {
  return decisions.some((decision) => decision === value);
}

function namesIn(entry: LogEntry): readonly string[] {
  return listOf<{ readonly name?: unknown }>(entry.files).map(({ name }) => String(name));
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
