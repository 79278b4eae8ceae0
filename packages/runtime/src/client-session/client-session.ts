import { realpath } from 'node:fs/promises';
import {
  type Answer,
  type Authority,
  delegate,
  earlierRun,
  entryAuthority,
  guard,
  isNonEmpty,
  type Json,
  type JsonObject,
  type LogEvent,
  messageOf,
  type NonEmpty,
  type Question,
  type Refusal,
  Run,
  type Toolset,
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
  /** Of one tool, `tool`, that describes the call; it is not executed. */
  readonly toolset: Toolset;
  readonly tool: string;
  readonly args: JsonObject;
}

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
  ended(
    call: Pick<ForeignCall, 'id' | 'chain' | 'args'> & { readonly name: string },
    error: string | null,
  ): Promise<void>;
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
    await records.begin({ client, session: options.session, files, root, home });
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
        log: { append: (events) => log.append(events) },
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
    async judge({ id, chain, toolset, tool, args }) {
      const call = callId(id, journal.past.events);
      const handed = handOver(toolset);
      const guarded = guard(handed.toolset, authorityOf(run, chain));
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

/** The toolset with tools that are not executed here: the first that would be says so, and never ends. */
function handOver(toolset: Toolset): { readonly toolset: Toolset; readonly begun: Promise<void> } {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const execute = () => {
    begin();
    return new Promise<Json>(() => undefined);
  };
  return { toolset: { ...toolset, tools: toolset.tools.map((tool) => ({ ...tool, execute })) }, begun };
}

interface Waiting {
  readonly question: Promise<Question>;
  /** Hands the question over; nobody answers it here. */
  readonly asked: (question: Question) => Promise<Answer>;
}

function createWaiting(): Waiting {
  let hand: (question: Question) => void = () => undefined;
  const question = new Promise<Question>((resolve) => {
    hand = resolve;
  });
  return {
    question,
    asked(given) {
      hand(given);
      return new Promise(() => undefined);
    },
  };
}

/** The client's id where it is one for a log and is new; clients may give an id again. */
function callId(id: string | null, events: readonly LogEvent[]): string {
  const isUsable = id !== null && /^[A-Za-z0-9_-]{8,80}$/.test(id);
  if (!isUsable || events.some((event) => 'call' in event && event.call === id)) return newId();
  return id;
}

/** Closes the newest open call like this one. One that the client asked a person about was answered there. */
function endOf(
  { id, chain, args, name }: Pick<ForeignCall, 'id' | 'chain' | 'args'> & { readonly name: string },
  error: string | null,
  events: readonly LogEvent[],
): readonly LogEvent[] {
  const closed = new Set(events.flatMap((event) => (event.event === 'outcome' ? [event.call] : [])));
  const wanted = JSON.stringify([chain, name, args]);
  const open = events.filter(
    (event) => event.event === 'decision' && event.decision !== null && !closed.has(event.call),
  );
  const found = open.findLast(
    (event) =>
      event.event === 'decision' &&
      (event.call === id ||
        (id === null && JSON.stringify([event.chain, event.tool, event.args]) === wanted)),
  );
  if (found === undefined || found.event !== 'decision') return [];
  const now = clock.now();
  const isAnswered = events.some((event) => event.event === 'approval' && event.call === found.call);
  const byClient: readonly LogEvent[] =
    found.decision === 'needs_approval' && !isAnswered
      ? [
          {
            now,
            event: 'approval',
            call: found.call,
            how: 'client',
            who: chain[0],
            approved: true,
            keep: null,
            edited: false,
            note: null,
            question: null,
          },
        ]
      : [];
  const outcome: LogEvent =
    error === null
      ? { now, event: 'outcome', call: found.call, outcome: 'completed' }
      : { now, event: 'outcome', call: found.call, outcome: 'failed', error: messageOf(error) };
  return [...byClient, outcome];
}
