import {
  type CallDecision,
  type Decision,
  decisions,
  type Grant,
  isNonEmpty,
  type Judgement,
  type Request,
  remembered,
  toolsetOf,
} from '@ambit/core';
import { LogError } from '../../log/files/log-error.js';
import { createHistories } from '../../log/line/history.js';
import type { LogEntry } from '../../log/line/line.js';
import { listOf, objectOf, objectsOf, wordsOf } from '../../log/line/members.js';
import type { ReadMembers } from '../../log/manifests/read-manifest.js';
import { unreadSets, withMembers } from '../../log/manifests/restore-sets.js';

export interface LoggedCall {
  readonly seq: number;
  readonly run: string;
  readonly call: string;
  readonly time: string;
  readonly before: Decision;
  readonly request: Request;
  readonly grants: readonly Grant[];
  /** The restrictions of worker files and programs: no policy file states them, so they stay. */
  readonly others: readonly Judgement[];
  /** Why members of some file sets, which decide it, are missing. */
  readonly unread: readonly string[];
}

interface LoggedCalls {
  /**
   * Takes the entries of a log in their order. Null unless it is a decision on a call. Throws a `LogError` if a
   * required member is missing.
   */
  accept(entry: LogEntry): LoggedCall | null;
  /** Whether text from outside is in the history of the last call of a run. */
  isUntrusted(run: string): boolean;
  counts(): CallCounts;
}

export interface CallCounts {
  readonly calls: number;
  /** Calls that were refused before the judgement. */
  readonly unjudged: number;
}

interface LoggedCallsOptions {
  /** If false, each call counts as the first of its run, for judges that ignore the history. */
  readonly history?: boolean;
  /** If false, calls have no arguments, for judges that ignore them: a long log has too many. */
  readonly args?: boolean;
  /** Reads the members of listed file sets; where null, they stay listed. */
  readonly members?: ReadMembers | null;
}

export function createLoggedCalls({
  history = true,
  args = true,
  members = null,
}: LoggedCallsOptions): LoggedCalls {
  const histories = history ? createHistories() : null;
  const files = new Map<string, Set<string>>();
  const known = new Set<string>();
  const unjudged = new Set<string>();
  return {
    isUntrusted: (run) => histories?.isUntrusted(run) === true,
    counts: () => ({ calls: known.size, unjudged: unjudged.size }),
    accept: (line) => {
      const entry = members === null || line.event !== 'decision' ? line : withMembers(line, members);
      if (entry.event === 'decision') {
        const key = `${entry.run} ${wordsOf(entry.call)}`;
        if (entry.decision !== null) unjudged.delete(key);
        else if (!known.has(key)) unjudged.add(key);
        known.add(key);
      }
      if (entry.event === 'policy')
        for (const { name } of objectsOf(entry.files))
          remembered(files, entry.run, () => new Set()).add(wordsOf(name));
      const before = histories?.accept(entry.run, entry) ?? (() => []);
      return entry.event === 'decision' && decisions.includes(entry.decision as Decision)
        ? loggedCall(entry, { history: before, args, files: files.get(entry.run) ?? none, members })
        : null;
    },
  };
}

function loggedCall(
  entry: LogEntry,
  at: {
    readonly history: () => Request['history'];
    readonly args: boolean;
    readonly files: ReadonlySet<string>;
    readonly members: ReadMembers | null;
  },
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
    // As judged: its capabilities, each once, with those that the policies added.
    request: {
      tool,
      toolset: toolsetOf(tool),
      chain: workers,
      worker: workers[workers.length - 1] as string,
      args: at.args ? objectOf(args) : {},
      capabilities: carried,
      context: objectOf(context),
      get history() {
        return at.history();
      },
      now: Date.parse(time),
    },
    grants: listOf<Grant>(entry.grants),
    others: othersIn(listOf<Judgement>(entry.judgements), at.files),
    unread: unreadSets(carried, at.members),
  };
}

function othersIn(judgements: readonly Judgement[], files: ReadonlySet<string>): readonly Judgement[] {
  const isOther = ({ policy }: Judgement) => policy !== 'built-in' && !files.has(policy);
  return judgements.some(isOther) ? judgements.filter(isOther) : noJudgements;
}

const noJudgements: readonly Judgement[] = [];
const none: ReadonlySet<string> = new Set();
