import {
  type CallDecision,
  type Decision,
  decisions,
  type Grant,
  isNonEmpty,
  isObject,
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
  /** The segment of the entry, which `seq` counts in; null if it was not read from a file. */
  readonly file: string | null;
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

export class LoggedCalls {
  readonly #histories: ReturnType<typeof createHistories> | null;
  readonly #files = new Map<string, Set<string>>();
  readonly #known = new Set<string>();
  readonly #unjudged = new Set<string>();

  constructor(private readonly options: LoggedCallsOptions) {
    this.#histories = options.history === false ? null : createHistories();
  }

  counts(): CallCounts {
    return { calls: this.#known.size, unjudged: this.#unjudged.size };
  }

  /** Whether text from outside is in the history of the last call of a run. */
  isUntrusted(run: string): boolean {
    return this.#histories?.isUntrusted(run) === true;
  }

  /**
   * Takes the entries of a log in their order. Null unless it is a decision on a call. Throws a `LogError` if a
   * required member is missing.
   */
  accept(line: LogEntry, file: string | null = null): LoggedCall | null {
    const { members = null } = this.options;
    const entry = members === null || line.event !== 'decision' ? line : withMembers(line, members);
    if (entry.event === 'decision')
      this.#count(`${entry.run} ${wordsOf(entry.call)}`, entry.decision !== null);
    if (entry.event === 'policy')
      for (const { name } of objectsOf(entry.files))
        remembered(this.#files, entry.run, () => new Set()).add(wordsOf(name));
    const before = this.#histories?.accept(entry.run, entry) ?? (() => []);
    return entry.event === 'decision' && decisions.includes(entry.decision as Decision)
      ? { file, ...this.#loggedCall(entry, before) }
      : null;
  }

  #count(call: string, isJudged: boolean): void {
    if (isJudged) this.#unjudged.delete(call);
    else if (!this.#known.has(call)) this.#unjudged.add(call);
    this.#known.add(call);
  }

  #loggedCall(entry: LogEntry, history: () => Request['history']): Omit<LoggedCall, 'file'> {
    const { seq, run, time, tool, chain, args, capabilities, context } = entry;
    const carried = listOf<CallDecision['capabilities'][number]>(capabilities);
    const workers = listOf<string>(chain);
    const [grants, judgements] = [listOf<Grant>(entry.grants), listOf<Judgement>(entry.judgements)];
    const names = [...workers, ...carried.map((each) => isObject(each) && each.name)];
    const isRead =
      names.every((name) => typeof name === 'string') && [...grants, ...judgements].every(isObject);
    if (typeof tool !== 'string' || !isNonEmpty(workers) || !isNonEmpty(carried) || !isRead)
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
        args: this.options.args === false ? {} : objectOf(args),
        capabilities: carried,
        context: objectOf(context),
        get history() {
          return history();
        },
        now: Date.parse(time),
      },
      grants,
      others: othersIn(judgements, this.#files.get(run) ?? none),
      unread: unreadSets(carried, this.options.members ?? null),
    };
  }
}

function othersIn(judgements: readonly Judgement[], files: ReadonlySet<string>): readonly Judgement[] {
  const isOther = ({ policy }: Judgement) => policy !== 'built-in' && !files.has(policy);
  return judgements.some(isOther) ? judgements.filter(isOther) : noJudgements;
}

const noJudgements: readonly Judgement[] = [];
const none: ReadonlySet<string> = new Set();
