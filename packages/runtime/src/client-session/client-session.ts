import { realpath } from 'node:fs/promises';
import {
  type Answer,
  type Authority,
  approvalEvent,
  type Capability,
  defineToolset,
  delegate,
  earlierRun,
  entryAuthority,
  equalJson,
  guard,
  isNonEmpty,
  type Json,
  type JsonObject,
  type LogEvent,
  type NonEmpty,
  type Question,
  type Refusal,
  Run,
  type Tool,
  toolsetOf,
} from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { bindingDigest } from '../approvers/binding-digest.js';
import { keptAnswers } from '../approvers/kept-answers.js';
import type { Problem } from '../host/problem.js';
import { clock, newId } from '../open/clock.js';
import { createPolicyDigests } from '../open/run-approver.js';
import { newerPolicies } from '../policies/newer-policies.js';
import { homeFolder } from '../trust/state-folder.js';
import { answerGiven } from './answer-given.js';
import type { ClientSessionOptions } from './session-options.js';
import { judgingPolicies } from './session-policies.js';
import { openSessionRecords, type SessionRecords } from './session-records.js';

/** A call that somebody else executes. */
export interface ForeignCall {
  /** The client's own id of the call; null where it has none. */
  readonly id: string | null;
  readonly chain: NonEmpty<string>;
  /** The full name of the tool, as policies know it. */
  readonly name: string;
  readonly args: JsonObject;
  /** What the call can do. */
  readonly describe: () => Promise<readonly Capability[]>;
}

type EndedCall = Omit<ForeignCall, 'describe'>;

/** What the hook answers. The decision is in the log. */
export type Verdict =
  | { readonly verdict: 'permitted'; readonly call: string }
  | { readonly verdict: 'refused'; readonly call: string; readonly refusal: Refusal }
  /** `needsPerson`: only a person's own answer counts, and no answer that the client took. */
  | {
      readonly verdict: 'question';
      readonly call: string;
      readonly question: Question;
      readonly needsPerson: boolean;
    };

export interface ClientSession {
  /** The id of the run. */
  readonly id: string;
  readonly log: string;
  judge(call: ForeignCall): Promise<Verdict>;
  /** Puts a question where `ambit approvals` finds it, and records that the call is refused meanwhile. */
  refuseUntilAnswered(question: Question, reason: string): Promise<void>;
  /** Records what came of the last call like this one. */
  ended(call: EndedCall, error: string | null): Promise<void>;
  close(): Promise<void>;
}

export type OpenedSession =
  | { readonly ok: true; readonly session: ClientSession }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> };

/** Opens the run of a conversation, or goes on with it. Waits until no other process has it. */
export async function openClientSession(options: ClientSessionOptions): Promise<OpenedSession> {
  const { environment, client } = options;
  const root = await realpath(options.root);
  const home = await realpath(homeFolder(environment)).catch(() => homeFolder(environment));
  const records = await openSessionRecords(options, root);
  try {
    const judging = await judgingPolicies(options, { root, home, past: records.journal.past });
    if (isNonEmpty(judging.problems)) {
      await records.close();
      return { ok: false, problems: judging.problems };
    }
    const { policies, files } = judging;
    if (!isNonEmpty(policies)) throw new Error('no policy is a problem');
    await records.begin({ files, root, home });
    const { log, journal, store } = records;
    const digests = createPolicyDigests(files);
    for (const event of journal.past.events) digests.take(event);
    const waiting = createWaiting();
    const run = new Run({
      policies,
      open: true,
      decide: createEngine().decide,
      mode: 'interactive',
      approver: {
        ask: async (question) => {
          const { events, taken } = journal.past;
          const given = await answerGiven({
            store,
            run: records.id,
            digest: bindingDigest(question, digests.now()),
            events,
            taken,
            now: clock.now(),
          });
          if (given === null) return waiting.asked(question);
          await journal.append({ step: 'taken', question: given.question });
          return given.answer;
        },
      },
      log,
      newer: newerPolicies({
        given: judging.given,
        added: [],
        folders: { root, home },
        files,
        reloads: judging.reloads,
        log,
        now: () => clock.now(),
      }),
      context: { client, session: options.session },
      clock,
      newId,
      earlier: earlierRun(journal.past.events),
      keeper: keptAnswers(store, {
        run: records.id,
        now: () => clock.now(),
        judging: () => [...digests.now()].sort(),
        onVoid: () => undefined,
      }),
    });
    return { ok: true, session: sessionOf({ run, records, waiting, digests: digests.now }) };
  } catch (error) {
    await records.close();
    throw error;
  }
}

interface Parts {
  readonly run: Run;
  readonly records: SessionRecords;
  readonly waiting: Waiting;
  readonly digests: () => readonly string[];
}

function sessionOf({ run, records, waiting, digests }: Parts): ClientSession {
  const { log, store, journal } = records;
  return {
    id: records.id,
    log: records.path,
    async judge({ id, chain, name, args, describe }) {
      const call = callId(id, journal.past.events);
      const toolset = toolsetOf(name);
      const tool = name.slice(toolset.length + 1);
      const handed = handedOver(tool, describe);
      const guarded = guard(defineToolset({ name: toolset, tools: [handed.tool] }), authorityOf(run, chain));
      const refused = guarded.call({ tool, args, id: call }).then((outcome): Verdict => {
        if (outcome.status === 'refused') return { verdict: 'refused', call, refusal: outcome.refusal };
        throw new Error(
          outcome.status === 'failed' ? outcome.error : 'a call that is executed elsewhere ended here',
        );
      });
      const permitted = handed.begun.then((): Verdict => ({ verdict: 'permitted', call }));
      const question = waiting.question.then(
        (asked): Verdict => ({ verdict: 'question', call, question: asked, needsPerson: wantsPerson(asked) }),
      );
      return Promise.race([refused, permitted, question]);
    },
    async refuseUntilAnswered(question, reason) {
      await store.ask({
        run: records.id,
        question,
        digest: bindingDigest(question, digests()),
        asked: clock.now(),
      });
      const event: LogEvent = {
        now: clock.now(),
        event: 'outcome',
        call: question.call,
        outcome: 'refused',
        code: 'unanswered',
        reason,
      };
      await log.append([event]);
    },
    async ended(call, error) {
      const events = endOf(call, error, journal.past.events);
      if (isNonEmpty(events)) await log.append(events);
    },
    close: () => records.close(),
  };
}

/** Only a person's own answer counts where a rule says so, where calls are combined, and where a rule is undecided. */
function wantsPerson({ asked_by }: Question): boolean {
  return asked_by.some(({ answer, undecided }) => answer === 'person' || undecided.length > 0);
}

function authorityOf(run: Run, [first, ...others]: NonEmpty<string>): Authority {
  return others.reduce((authority, worker) => delegate(authority, worker), entryAuthority(run, first));
}

/** A tool that is executed elsewhere: what would execute it here says that it may run, and never ends. */
function handedOver(name: string, describe: ForeignCall['describe']) {
  const { promise: begun, resolve } = once<void>();
  const tool: Tool = {
    name,
    description: 'executed by another agent',
    input: { json: {}, parse: (value) => ({ ok: true, value: value as JsonObject }) },
    describe: async () => ({ capabilities: await describe() }),
    execute() {
      resolve();
      return once<Json>().promise;
    },
  };
  return { tool, begun };
}

interface Waiting {
  readonly question: Promise<Question>;
  /** Hands the question over; nobody answers it here. */
  readonly asked: (question: Question) => Promise<Answer>;
}

function createWaiting(): Waiting {
  const { promise: question, resolve } = once<Question>();
  return {
    question,
    asked(given) {
      resolve(given);
      return once<Answer>().promise;
    },
  };
}

/** A promise that somebody else resolves, or nobody. */
function once<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** The client's id where it is one for a log and is new; clients may give an id again. */
function callId(id: string | null, events: readonly LogEvent[]): string {
  const isUsable = id !== null && /^[A-Za-z0-9_-]{8,80}$/.test(id);
  if (!isUsable || events.some((event) => 'call' in event && event.call === id)) return newId();
  return id;
}

/** Closes the newest open call like this one. One that the client asked a person about was answered there. */
function endOf(
  { id, chain, args, name }: EndedCall,
  error: string | null,
  events: readonly LogEvent[],
): readonly LogEvent[] {
  const closed = new Set(events.flatMap((event) => (event.event === 'outcome' ? [event.call] : [])));
  const open = events
    .filter((event) => event.event === 'decision')
    .filter(({ call, decision }) => decision !== null && !closed.has(call));
  // Where the client names no call, the one with the same arguments.
  const found = open.findLast((event) =>
    id === null ? equalJson([event.chain, event.tool, event.args], [chain, name, args]) : event.call === id,
  );
  if (found === undefined) return [];
  const { call } = found;
  const now = clock.now();
  const isAnswered = events.some((event) => event.event === 'approval' && event.call === call);
  const byClient = approvalEvent({ call, now, how: 'client', who: chain[0], approved: true });
  const outcome: LogEvent =
    error === null
      ? { now, event: 'outcome', call, outcome: 'completed' }
      : { now, event: 'outcome', call, outcome: 'failed', error };
  return found.decision === 'needs_approval' && !isAnswered ? [byClient, outcome] : [outcome];
}
