import {
  type Authority,
  delegate,
  entryAuthority,
  equalJson,
  type GuardWatch,
  guard,
  interruptedCall,
  isNonEmpty,
  type Log,
  type LogEvent,
  type NonEmpty,
  type Policy,
  type Question,
  type Refusal,
  type Run,
  toolsetOf,
} from '@ambit/core';
import { bindingDigest, jsonDigest } from '../approvers/binding-digest.js';
import { clock } from '../host/clock.js';
import {
  answerOfClient,
  callId,
  type EndedCall,
  endOf,
  type ForeignCall,
  handedOver,
  openQuestionOf,
  strictestChain,
  undescribedTool,
  type Waiting,
  wantsPerson,
} from './foreign-call.js';
import type { Recorded } from './recorded.js';
import { whyWait } from './running-calls.js';
import type { ClientSessionOptions, SessionRecords } from './session-records.js';

/** The hook's answer. The decision is in the log. */
export type Verdict =
  | { readonly verdict: 'permitted'; readonly call: string }
  | { readonly verdict: 'refused'; readonly call: string; readonly refusal: Refusal }
  /** `needsPerson`: only a person's own answer counts, and not the client's. */
  | {
      readonly verdict: 'question';
      readonly call: string;
      readonly question: Question;
      readonly needsPerson: boolean;
    };

export interface ClientSession {
  readonly id: string;
  /** Whether the next call needs a new opening: the run has stopped, or a call had a question. */
  readonly isSpent: boolean;
  /** `settled` is called at most once, when only the disk is pending: the next call can then share the write. */
  judge(call: ForeignCall, settled?: () => void): Promise<Verdict>;
  /** Whether an event of a call was recorded at this time or later. */
  hasSince(time: number): boolean;
  /** Stores a question for `ambit approvals`. The call waits for the answer. */
  ask(question: Question): Promise<void>;
  /** The same, and records that the call is refused meanwhile. */
  refuseUntilAnswered(question: Question, reason: string): Promise<void>;
  /** Records the outcome of the last call like this one, before or together with the next decision. */
  ended(call: EndedCall, error: string | null): Promise<void>;
  /** Records that the client's user refused the open question of this call. */
  denied(call: EndedCall): Promise<void>;
  readonly policies: NonEmpty<Policy>;
  /** The files that they were read from, and those that these extend. Absolute. */
  readonly files: readonly string[];
  /** Lets other processes continue the run. */
  release(): Promise<void>;
  /** Whether this process still owns the run; otherwise only `close` is left. Throws if another process has it. */
  retake(call: Pick<ClientSessionOptions, 'watch' | 'startedBy'>): Promise<boolean>;
  close(): Promise<void>;
}

export interface Asking {
  readonly records: SessionRecords;
  readonly waiting: Waiting;
  readonly recorded: Recorded;
  readonly bound: Bound;
}

interface Parts extends Asking {
  readonly run: Run;
  readonly log: Log;
  readonly watching: { now: GuardWatch | undefined };
  readonly files: readonly string[];
}

/** What an answer depends on besides the question: the folder of the call, and its confinement. */
export class Bound {
  folder: string | null = null;

  constructor(
    readonly isolation: string,
    readonly policies: () => readonly string[],
  ) {}

  digestOf(question: Question): string {
    const { folder, isolation } = this;
    const binding = bindingDigest(question, this.policies());
    return folder === null ? binding : jsonDigest({ binding, folder, isolation });
  }
}

export function sessionOf(parts: Parts): ClientSession {
  const { run, log, records, waiting, recorded, bound, watching, files } = parts;
  const { store } = records;
  let acting: Authority | null = null;
  const authorityNow = (chain: NonEmpty<string>) => {
    // Usually the log of the previous call.
    if (acting === null || !equalJson(acting.chain, chain)) acting = authorityOf(run, chain);
    return acting;
  };
  const ask = (question: Question) =>
    store.ask({ run: records.id, question, digest: bound.digestOf(question), asked: clock.now() });
  return {
    id: records.id,
    get isSpent() {
      return waiting.hasAsked() || run.stopped !== null;
    },
    hasSince: (time) => recorded.hasSince(time),
    judge: (foreign, settled) => judgeForeign({ ...parts, authorityNow }, foreign, settled),
    async denied(call) {
      const before = openQuestionOf(call, recorded);
      if (before === null) return;
      const { call: id } = before.decision;
      const event = refusal(id, 'denied', 'the user of the client refused this call');
      await log.append([answerOfClient(id, call.chain[0], false), event]);
    },
    ask,
    async refuseUntilAnswered(question, reason) {
      await ask(question);
      await log.append([refusal(question.call, 'unanswered', reason)]);
    },
    async ended(call, error) {
      const events = endOf(call, error, recorded);
      if (!isNonEmpty(events)) return;
      recorded.take(events);
      await records.log.append(events, 'soon');
    },
    policies: run.policies,
    files,
    release: () => records.release(),
    retake({ watch, startedBy = process.ppid }) {
      watching.now = watch;
      return records.retake(startedBy);
    },
    async close() {
      try {
        await records.close();
      } finally {
        // Lets go of the calls that wait for an answer elsewhere. They record nothing any more.
        run.stop('the session is closed');
      }
    },
  };
}

async function judgeForeign(
  {
    run,
    log,
    waiting,
    recorded,
    bound,
    authorityNow,
  }: Parts & { readonly authorityNow: (chain: NonEmpty<string>) => Authority },
  foreign: ForeignCall,
  settled?: () => void,
): Promise<Verdict> {
  const { id, hidesAgents, name, args, describe, folder, isApproved = false, confines = false } = foreign;
  const toolset = toolsetOf(name);
  const undescribed = () => undescribedTool(name.slice(toolset.length + 1), { describe, confines });
  const own = foreign.tool ?? undescribed();
  const chain =
    hidesAgents === true ? await strictestChain(run, recorded, { ...foreign, tool: own }) : foreign.chain;
  bound.folder = folder ?? null;
  const before = openQuestionOf({ id, chain, name, args }, recorded);
  const call = before?.decision.call ?? callId(id, recorded);
  const { mayRun = () => false } = foreign;
  const { tool, begun } = handedOver(own, whyWait(recorded, { call, now: clock.now(), mayRun }));
  if (before === null && settled !== undefined) recorded.onSettled(call, settled);
  const given = { tool: tool.name, args, id: call };
  const making = before === null ? given : { ...given, interrupted: interruptedCall(before.events, false) };
  const guarded = guard({ name: toolset, tools: [tool], capabilities: [] }, authorityNow(chain));
  const refused = guarded.call(making).then((outcome): Verdict => {
    if (outcome.status === 'refused') return { verdict: 'refused', call, refusal: outcome.refusal };
    throw new Error(
      outcome.status === 'failed' ? outcome.error : 'a call that is executed elsewhere ended here',
    );
  });
  const permitted = begun.then((): Verdict => ({ verdict: 'permitted', call }));
  const asked = waiting.question(call).then(async (question): Promise<Verdict> => {
    const decision = recorded.open.get(call)?.findLast((event) => event.event === 'decision');
    const needsPerson = wantsPerson(decision ?? question);
    // A repeated question has no new decision in the log.
    const isSame = before !== null && decision === before.decision;
    if (!isApproved || !isSame || needsPerson) return { verdict: 'question', call, question, needsPerson };
    await log.append([answerOfClient(call, chain[0], true)]);
    return { verdict: 'permitted', call };
  });
  return Promise.race([refused, permitted, asked]).finally(() => waiting.forget(call));
}

function refusal(call: string, code: 'denied' | 'unanswered', reason: string): LogEvent {
  return { now: clock.now(), event: 'outcome', call, outcome: 'refused', code, reason };
}

function authorityOf(run: Run, [first, ...others]: NonEmpty<string>): Authority {
  return others.reduce((authority, worker) => delegate(authority, worker), entryAuthority(run, first));
}
