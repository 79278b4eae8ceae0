import { equalJson, type JsonObject, type LogEvent, messageOf, type Run, stated } from '@ambit/core';
import type { Parking } from '../approvers/parking.js';
import type { Performing } from '../converse/perform-worker.js';
import type { EntryCall, RunResult, Session, Totals } from '../host/session.js';
import type { Journal } from '../journal/journal.js';
import type { Store } from '../store/store.js';
import { createHostCalls, performForUser, workerNamed } from './host-calls.js';
import type { OpenOptions } from './open-options.js';
import type { Records } from './records.js';

export interface SessionParts {
  readonly run: Run;
  readonly records: Records;
  readonly entry: string | null;
  readonly totals: () => Totals;
  readonly now: () => number;
  /** See `OpenOptions`. */
  readonly nextTurn: OpenOptions['nextTurn'];
  readonly parking: Pick<Parking, 'whenParked' | 'park'>;
}

export function createSession(of: Performing, parts: SessionParts): Session {
  const { catalogue, budget, services } = of;
  const { run, records, totals, now } = parts;
  const { id, file, log, journal, store, isKept } = records;
  const host = createHostCalls(of, parts);
  let running: Promise<RunResult> | null = null;
  let closing: Promise<void> | null = null;
  let atWork: Promise<unknown> = Promise.resolve();
  let isEnded = false;
  let isLeft = false;

  async function perform(entry: EntryCall): Promise<RunResult> {
    const end = budget.begin();
    const work = finished(entry);
    atWork = work;
    const parked = parts.parking.whenParked.then((why) => ({ status: 'parked', output: '', why }) as const);
    const outcome = await Promise.race([work, parked]);
    end();
    if (outcome.status !== 'parked') await host.end();
    // Before the end is recorded: everything of the run has ended.
    await services.servers.close();
    return ended(outcome);
  }

  async function ended(outcome: Pick<RunResult, 'status' | 'output' | 'why'>): Promise<RunResult> {
    isEnded = true;
    // Current work of a parked run does not end by itself.
    const stopped = isLeft ? null : run.stopped;
    const why = stopped ?? outcome.why;
    const status = stopped !== null ? 'stopped' : outcome.status;
    const result = { status, output: outcome.output, why, totals: totals() };
    // As JSON: a missing count of a model is null.
    const plain = JSON.parse(JSON.stringify(totals())) as JsonObject;
    const end: LogEvent = { now: now(), event: 'end', status, why, totals: plain };
    try {
      await log.append([end]);
      await store.setStatus(id, status, now());
      // Calls that wait for people stay as they are until the run is resumed.
      if (status === 'parked') journal.close();
      else if (status !== 'failed') await withdrawQuestions(store, id, now()).catch(() => undefined);
      return result;
    } catch (error) {
      const lost = messageOf(error);
      const words = `the end of the run could not be recorded: ${lost}`;
      const all = why === null ? words : why.includes(lost) ? why : `${why}; ${words}`;
      return { ...result, status: 'stopped', why: all };
    }
  }

  function stop(why: string): void {
    run.stop(why);
    // At once: a kill during the end must not resume it.
    if (!isEnded && !isLeft) void storeStop().catch(() => undefined);
  }

  async function storeStop(): Promise<void> {
    await store.setStatus(id, 'stopped', now());
    await withdrawQuestions(store, id, now());
  }

  async function close(): Promise<void> {
    // A run of calls that a program made has finished once all of them have ended.
    const isDone = running === null && host.isUsed() && host.isIdle() && run.stopped === null;
    if (!isDone) run.stop('the session was closed');
    // Current work is recorded to its end, also of a tool that ignores its signal.
    await host.end();
    await (running ??
      ended({ status: isDone ? 'finished' : isLeft ? 'parked' : 'stopped', output: '', why: null }));
    run.stop('the session was closed');
    // In a parked run, waiting workers leave their toolsets.
    await atWork;
    await services.servers.close();
    await records.close();
  }

  async function finished(given: EntryCall): Promise<Pick<RunResult, 'status' | 'output' | 'why'>> {
    try {
      // Nothing new is started that would not be ended.
      run.signal.throwIfAborted();
      const entry = await keptEntry(journal, given);
      const worker = workerNamed(catalogue, entry.worker ?? parts.entry);
      // A worker that began before the interruption has its input already.
      const attachments = journal.past.started.has(id) ? [] : (entry.attachments ?? []);
      const from = { run, catalogue, perform: of.perform };
      const output = await performForUser(from, worker, {
        ...entry,
        attachments,
        place: id,
        ...(parts.nextTurn === undefined ? {} : { next: parts.nextTurn }),
      });
      return {
        status: 'finished',
        output: typeof output === 'string' ? output : JSON.stringify(output),
        why: null,
      };
    } catch (error) {
      return { status: 'failed', output: '', why: messageOf(error) };
    }
  }

  return {
    id,
    log: file.path,
    unkept: records.unkept,
    setAside: [file.recovered, file.abandoned].filter((one) => one !== null),
    run(entry) {
      if (running !== null) throw new Error('a session runs once: open another');
      running = perform(entry);
      return running;
    },
    callWorker: host.callWorker,
    createWorker: host.createWorker,
    stop,
    park(why) {
      if (isEnded || isLeft || run.stopped !== null) return;
      // Calls of a program are not resumed.
      if (!isKept || (running === null && host.isUsed())) return stop(why);
      isLeft = true;
      journal.close();
      parts.parking.park(why);
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** A resumed run keeps its options. */
async function keptEntry({ past, append }: Journal, given: EntryCall): Promise<EntryCall> {
  const entry = stated(given) as unknown as JsonObject;
  if (past.entry === null) {
    await append({ step: 'entry', entry });
    return given;
  }
  const { entry: before } = past;
  const other = Object.entries(entry).find(([key, value]) => !equalJson(value, before[key] ?? null))?.[0];
  if (other !== undefined) throw new Error(`the run began with another ${other}, and continues with that`);
  return before;
}

/** Withdraws the open questions of an ended run: in another mode it may not ask them. */
async function withdrawQuestions(store: Store, run: string, at: number): Promise<void> {
  for (const { question, state, run: asking } of await store.questions())
    if (asking === run && state === 'waiting') await store.withdraw(question.id, at);
}
