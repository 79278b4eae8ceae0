import { equalJson, type JsonObject, type LogEvent, messageOf, type Run, stated } from '@ambit/core';
import type { Parking } from '../approvers/parking.js';
import type { Performing } from '../converse/perform-worker.js';
import { clock } from '../host/clock.js';
import type { EntryCall, RunResult, Session, Totals } from '../host/session.js';
import type { Journal } from '../journal/journal.js';
import type { Store } from '../store/store.js';
import { createHostCalls, type HostCalls, performForUser, workerNamed } from './host-calls.js';
import type { OpenOptions } from './open-options.js';
import type { Records } from './records.js';

export interface SessionParts {
  readonly run: Run;
  readonly records: Records;
  readonly entry: string | null;
  readonly totals: () => Totals;
  /** See `OpenOptions`. */
  readonly nextTurn: OpenOptions['nextTurn'];
  readonly parking: Pick<Parking, 'whenParked' | 'park'>;
}

export function createSession(of: Performing, parts: SessionParts): Session {
  const { id, file, unkept } = parts.records;
  const host = createHostCalls(of, parts);
  const driven = new DrivenRun(of, parts, host);
  return {
    id,
    log: file.path,
    unkept,
    setAside: [file.recovered, file.abandoned].filter((one) => one !== null),
    run: (entry) => driven.run(entry),
    callWorker: host.callWorker,
    createWorker: host.createWorker,
    stop: (why) => driven.stop(why),
    park: (why) => driven.park(why),
    close: () => driven.close(),
  };
}

type Outcome = Pick<RunResult, 'status' | 'output' | 'why'>;

/** How a run begins and ends. */
class DrivenRun {
  #running: Promise<RunResult> | null = null;
  #closing: Promise<void> | null = null;
  #atWork: Promise<unknown> = Promise.resolve();
  #isEnded = false;
  /** Whether it was parked by its host: current work does not end by itself. */
  #isLeft = false;

  constructor(
    private readonly of: Performing,
    private readonly parts: SessionParts,
    private readonly host: HostCalls,
  ) {}

  run(entry: EntryCall): Promise<RunResult> {
    if (this.#running !== null) throw new Error('a session runs once: open another');
    this.#running = this.#perform(entry);
    return this.#running;
  }

  stop(why: string): void {
    this.parts.run.stop(why);
    // At once: a kill during the end must not resume it.
    if (!this.#isEnded && !this.#isLeft) void storeStop(this.parts).catch(() => undefined);
  }

  park(why: string): void {
    const { run, records, parking } = this.parts;
    if (this.#isEnded || this.#isLeft || run.stopped !== null) return;
    // Calls of a program are not resumed.
    if (!records.isKept || (this.#running === null && this.host.isUsed())) this.stop(why);
    else {
      this.#isLeft = true;
      records.journal.close();
      parking.park(why);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #perform(entry: EntryCall): Promise<RunResult> {
    const end = this.of.budget.begin();
    const work = performEntry(this.of, this.parts, entry);
    this.#atWork = work;
    const { whenParked } = this.parts.parking;
    const parked = whenParked.then((why) => ({ status: 'parked', output: '', why }) as const);
    const outcome = await Promise.race([work, parked]);
    end();
    if (outcome.status !== 'parked') await this.host.end();
    // Before the end is recorded: everything of the run has ended.
    await this.of.services.servers.close();
    return this.#end(outcome);
  }

  #end(outcome: Outcome): Promise<RunResult> {
    this.#isEnded = true;
    const why = this.#isLeft ? null : this.parts.run.stopped;
    return recordEnd(this.parts, why === null ? outcome : { ...outcome, status: 'stopped', why });
  }

  async #close(): Promise<void> {
    const { run, records } = this.parts;
    // A run of calls that a program made has finished once all of them have ended.
    const isDone = this.#running === null && this.host.isUsed() && this.host.isIdle() && run.stopped === null;
    if (!isDone) run.stop('the session was closed');
    // Current work is recorded to its end, also of a tool that ignores its signal.
    await this.host.end();
    const status = isDone ? 'finished' : this.#isLeft ? 'parked' : 'stopped';
    await (this.#running ?? this.#end({ status, output: '', why: null }));
    run.stop('the session was closed');
    // In a parked run, waiting workers leave their toolsets.
    await this.#atWork;
    await this.of.services.servers.close();
    await records.close();
  }
}

async function performEntry(of: Performing, parts: SessionParts, given: EntryCall): Promise<Outcome> {
  const { run, records, nextTurn } = parts;
  const { id, journal } = records;
  try {
    // Nothing new is started that would not be ended.
    run.signal.throwIfAborted();
    const entry = await keptEntry(journal, given);
    const worker = workerNamed(of.catalogue, entry.worker ?? parts.entry);
    // A worker that began before the interruption has its input already.
    const attachments = journal.past.started.has(id) ? [] : (entry.attachments ?? []);
    const next = nextTurn === undefined ? {} : { next: nextTurn };
    const from = { run, catalogue: of.catalogue, perform: of.perform };
    const output = await performForUser(from, worker, { ...entry, attachments, place: id, ...next });
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    return { status: 'finished', output: text, why: null };
  } catch (error) {
    return { status: 'failed', output: '', why: messageOf(error) };
  }
}

async function recordEnd(
  { records, totals }: SessionParts,
  { status, output, why }: Outcome,
): Promise<RunResult> {
  const { id, log, journal, store } = records;
  const result = { status, output, why, totals: totals() };
  // As JSON: a missing count of a model is null.
  const plain = JSON.parse(JSON.stringify(totals())) as JsonObject;
  const end: LogEvent = { now: clock.now(), event: 'end', status, why, totals: plain };
  try {
    await log.append([end]);
    await store.setStatus(id, status, clock.now());
    // Calls that wait for people stay as they are until the run is resumed.
    if (status === 'parked') journal.close();
    else if (status !== 'failed') await withdrawQuestions(store, id, clock.now()).catch(() => undefined);
    return result;
  } catch (error) {
    const lost = messageOf(error);
    const words = `the end of the run could not be recorded: ${lost}`;
    const all = why === null ? words : why.includes(lost) ? why : `${why}; ${words}`;
    return { ...result, status: 'stopped', why: all };
  }
}

async function storeStop({ records: { store, id } }: SessionParts): Promise<void> {
  await store.setStatus(id, 'stopped', clock.now());
  await withdrawQuestions(store, id, clock.now());
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
