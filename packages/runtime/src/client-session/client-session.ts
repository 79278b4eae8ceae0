import { realpath } from 'node:fs/promises';
import {
  type Approver,
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
import { type Asking, Bound, type ClientSession, sessionOf } from './opened-session.js';
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
    const { policies, files, given, reloads } = judging;
    if (!isNonEmpty(policies)) throw new Error('no policy was loaded, and no problem was reported');
    await records.begin({ files, root, home });
    const { events } = records.journal.past;
    const recorded = new Recorded(events);
    const log = noting(records.log, recorded, options.isExclusive === true);
    const digests = createPolicyDigests(files);
    for (const event of events) digests.take(event);
    const waiting = createWaiting();
    const watching = { now: options.watch };
    const bound = new Bound(options.isolation ?? 'none', digests.now);
    const run = new Run({
      policies,
      open: true,
      elsewhere: true,
      decide: createEngine().decide,
      mode: 'interactive',
      approver: answersBefore({ records, recorded, bound, waiting }),
      log,
      newer: newerPolicies({ given, added: [], folders, files, reloads, log }),
      context: { client, session: options.session, isolation: options.isolation ?? 'none' },
      clock,
      newId,
      ...(options.describeLimit === undefined ? {} : { describeLimit: options.describeLimit }),
      earlier: earlierHere(events, options.isolation ?? 'none'),
      ...(options.watch === undefined ? {} : { watch: watchAt(() => watching.now) }),
      keeper: keptAnswers(records.store, {
        run: records.id,
        judging: () => [...digests.now()].sort(),
        onVoid: () => undefined,
      }),
    });
    stopIfChanged(run, events);
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
  const earlier = earlierRun(events);
  const isOpaque = ({ shown }: KeptAnswer) => shown.some(({ name }) => isWithin(name, opaque));
  if (!earlier.kept.some(isOpaque)) return earlier;
  const isHere = (event: LogEvent) => event.event !== 'decision' || event.context.isolation === isolation;
  const here = new Set(earlierRun(events.filter(isHere)).kept.map(({ approval }) => approval));
  return { ...earlier, kept: earlier.kept.filter((each) => here.has(each.approval) || !isOpaque(each)) };
}

/** A session whose guard was changed does not continue. */
function stopIfChanged(run: Run, events: readonly LogEvent[]): void {
  const changed = events.find((event) => event.event === 'guard_changed');
  if (changed === undefined) return;
  const what = `${changesInWords(changed.changes)} during this session, and no decision permitted that`;
  run.stop(`${what}; look at it, then begin a new session`);
}

/** Gives each question the answer that a person gave before, or hands it over. */
function answersBefore({ records, recorded, bound, waiting }: Asking): Approver {
  const { id: run, journal, store } = records;
  const taken = new Set(journal.past.taken);
  return {
    async ask(question) {
      const digest = bound.digestOf(question);
      const questions = await store.questions();
      const isAnswered = questions.some((each) => each.run === run && each.state === 'answered');
      const beside = isAnswered ? await records.beside() : [];
      const asking = { run, question, digest, recorded, beside, taken, now: clock.now() };
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
  };
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
