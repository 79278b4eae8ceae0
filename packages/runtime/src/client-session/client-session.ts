import { realpath } from 'node:fs/promises';
import {
  changesInWords,
  type EarlierRun,
  earlierRun,
  type GuardWatch,
  isNonEmpty,
  isWithin,
  type KeptAnswer,
  type Log,
  type LogEvent,
  type NonEmpty,
  opaque,
  Run,
} from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { keptAnswers } from '../approvers/kept-answers.js';
import { clock, newId } from '../host/clock.js';
import { noFolder, type Problem } from '../host/problem.js';
import { createPolicyDigests } from '../open/run-approver.js';
import { newerPolicies } from '../policies/newer-policies.js';
import { keptForms } from '../trust/kept-forms.js';
import { realHome } from '../trust/state-folder.js';
import { askedBefore } from './asked-before.js';
import { createWaiting } from './foreign-call.js';
import { Bound, type ClientSession, sessionOf } from './opened-session.js';
import { Recorded } from './recorded.js';
import { judgingPolicies } from './session-policies.js';
import { type ClientSessionOptions, openSessionRecords } from './session-records.js';

export type OpenedSession =
  | { readonly ok: true; readonly session: ClientSession }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> };

/** Opens or continues the run of a conversation. Waits until no other process uses it. */
export async function openClientSession(options: ClientSessionOptions): Promise<OpenedSession> {
  const { environment, client } = options;
  const root = await realpath(options.root).catch(() => null);
  if (root === null) return { ok: false, problems: [noFolder(options.root)] };
  const home = realHome(environment);
  const forms = options.program === undefined ? undefined : keptForms(environment, options.program);
  const folders = { root, home, forms };
  const records = await openSessionRecords(options, root);
  try {
    const judging = await judgingPolicies(options, { ...folders, past: records.journal.past });
    if (isNonEmpty(judging.problems)) {
      await records.close();
      return { ok: false, problems: judging.problems };
    }
    const { policies, files } = judging;
    if (!isNonEmpty(policies)) throw new Error('no policy is a problem');
    await records.begin({ files, root, home });
    const { journal, store } = records;
    const recorded = new Recorded(journal.past.events);
    const log = noting(records.log, recorded, options.isExclusive === true);
    const digests = createPolicyDigests(files);
    for (const event of journal.past.events) digests.take(event);
    const waiting = createWaiting();
    const watching = { now: options.watch };
    const taken = new Set(journal.past.taken);
    const bound = new Bound(options.isolation ?? 'none', digests.now);
    const run = new Run({
      policies,
      open: true,
      decide: createEngine().decide,
      mode: 'interactive',
      approver: {
        ask: async (question) => {
          const digest = bound.digestOf(question);
          const questions = await store.questions();
          const isAnswered = questions.some(({ run, state }) => run === records.id && state === 'answered');
          const beside = isAnswered ? await records.beside() : [];
          const asking = { run: records.id, question, digest, recorded, beside, taken, now: clock.now() };
          const { given, waits, past, lost } = askedBefore(questions, asking);
          for (const { state, question: old } of past)
            if (state === 'waiting') await store.withdraw(old.id, clock.now());
          if (given === null) {
            const reason = lost === null ? question.reason : [lost, question.reason ?? []].flat().join('; ');
            // A further try of a call asks nothing new.
            return waiting.asked({ ...question, reason, id: waits?.question.id ?? question.id });
          }
          // Also here, because the session may stay open for further calls.
          taken.add(given.id);
          await journal.append({ step: 'taken', question: given.id });
          return given.answer;
        },
      },
      log,
      newer: newerPolicies({
        given: judging.given,
        added: [],
        folders,
        files,
        reloads: judging.reloads,
        log,
        now: () => clock.now(),
      }),
      context: { client, session: options.session, isolation: options.isolation ?? 'none' },
      clock,
      newId,
      ...(options.describeLimit === undefined ? {} : { describeLimit: options.describeLimit }),
      earlier: earlierHere(journal.past.events, options.isolation ?? 'none'),
      ...(options.watch === undefined ? {} : { watch: watchAt(() => watching.now) }),
      keeper: keptAnswers(store, {
        run: records.id,
        now: () => clock.now(),
        judging: () => [...digests.now()].sort(),
        onVoid: () => undefined,
      }),
    });
    const changed = journal.past.events.find(({ event }) => event === 'guard_changed');
    if (changed?.event === 'guard_changed')
      run.stop(
        `${changesInWords(changed.changes)} during this session, and no decision permitted that; ` +
          'look at it, then begin a new session',
      );
    const paths = files.map(({ path }) => path);
    const parts = { run, log, records, waiting, recorded, bound, watching, files: paths };
    return { ok: true, session: sessionOf(parts) };
  } catch (error) {
    await records.close();
    throw error;
  }
}

/** Without the kept answers about opaque programs that were confined in another way than this call is. */
function earlierHere(events: readonly LogEvent[], isolation: string): EarlierRun {
  const isHere = (event: LogEvent) => event.event !== 'decision' || event.context.isolation === isolation;
  const here = new Set(earlierRun(events.filter(isHere)).kept.map(({ approval }) => approval));
  const earlier = earlierRun(events);
  const isOpaque = ({ shown }: KeptAnswer) => shown.some(({ name }) => isWithin(name, opaque));
  return { ...earlier, kept: earlier.kept.filter((each) => here.has(each.approval) || !isOpaque(each)) };
}

/** Uses the watch of the current call; without one, nothing is compared. */
function watchAt(now: () => GuardWatch | undefined): GuardWatch {
  return { compare: () => now()?.compare() ?? [], around: () => now()?.around() ?? (() => []) };
}

/** A log whose entries later calls see at once. */
function noting(log: Log, recorded: Recorded, inOrder: boolean): Log {
  return {
    inOrder,
    append(events) {
      const appended = log.append(events);
      recorded.take(events);
      return appended;
    },
  };
}
