import type { Recovered } from '@ambit/audit';
import type { CallOutcome, JsonObject, NonEmpty } from '@ambit/core';
import type { Problem } from './problem.js';

/** What a run with all its workers may take; without a limit where one is left out. */
export interface Budget {
  /** Calls of tools, whatever is decided about them. */
  readonly calls?: number;
  /** Tokens of all models, in and out. What a turn takes is known when it has ended: turns at the same time may go over together. */
  readonly tokens?: number;
  /** From the start of the run, the time that people take to answer included, and that in which nothing goes on with it (parked, killed) left out. */
  readonly minutes?: number;
}

/** Either a session, or every reason why there is none. */
export type Opened =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> };

export interface Session {
  /** The id of the run. */
  readonly id: string;
  /** Where the log is. */
  readonly log: string;
  /** Why the run does not survive its process, though nobody asked for that; null otherwise. */
  readonly unkept: string | null;
  /** What a killed writer had left unfinished in the log, and where it was put. Nobody was told that it was recorded. */
  readonly setAside: readonly Recovered[];
  /** Runs the entry worker. Once per session. */
  run(entry: EntryCall): Promise<RunResult>;
  /**
   * Has a worker called by the program itself, beside or instead of `run`. With `caller`, as that worker would: judged, recorded, asked about.
   * Without, as the user, who is trusted as for the entry worker: what it does is judged, that it is called is not. Rejects where there is no such
   * worker, and once the session is over. `resultOf` makes an exception of a refusal.
   */
  callWorker(request: WorkerRequest): Promise<CallOutcome>;
  /** Has a worker created as `creator` would create it: judged, shown, written. */
  createWorker(request: CreateRequest): Promise<CallOutcome>;
  /** Refuses every further call and ends the run. */
  stop(why: string): void;
  /**
   * Leaves a run that is under way where it is, for whoever resumes it, as if the process had been killed: `run` ends as `parked`, and what was begun is
   * cancelled by `close`. One that is not kept is stopped.
   */
  park(why: string): void;
  /** Stops a run that is under way and waits for its end; then ends the log and every server that the session started. */
  close(): Promise<void>;
}

export interface WorkerRequest {
  readonly worker: string;
  /** Text, or what the worker's input schema asks for. */
  readonly input?: string | JsonObject;
  /** With `caller`, files of its roots, `ROOT/rest`; without, the user's own, absolute or from the working folder. */
  readonly attachments?: readonly string[];
  readonly caller?: string;
}

/** What `worker_create` takes. */
export interface CreateRequest {
  /** The worker for which it is created, and which can call it; that of the file that was opened, where left out. */
  readonly creator?: string;
  readonly name: string;
  readonly instructions: string;
  readonly description: string;
  readonly output_schema?: JsonObject;
  readonly model?: string;
  readonly toolsets?: readonly string[] | JsonObject;
}

export interface EntryCall {
  /** The entry worker's name; the one of the file that was opened, where left out. */
  readonly worker?: string;
  /** Text, or what the worker's input schema asks for. */
  readonly input?: string | JsonObject;
  /** Files of the user's own, absolute or from the working folder: the user hands them over, so nobody is asked. */
  readonly attachments?: readonly string[];
}

export interface RunResult {
  /**
   * `stopped`: by a person, over its budget, or because the log could not be written; `failed`: the model or the worker could not go on;
   * `parked`: it waits for an answer, or was left (`park`), and goes on when it is resumed.
   */
  readonly status: 'finished' | 'stopped' | 'failed' | 'parked';
  /** What the entry worker said last. */
  readonly output: string;
  /** Why the run did not finish. */
  readonly why: string | null;
  readonly totals: Totals;
}

/** What a run did, counted from what was recorded. */
export interface Totals {
  readonly calls: number;
  /** Calls by their first decision: `pre_approved`, `needs_approval`, `blocked`, and `unjudged` for those refused before. */
  readonly decisions: Readonly<Record<'pre_approved' | 'needs_approval' | 'blocked' | 'unjudged', number>>;
  readonly outcomes: Readonly<Record<'completed' | 'refused' | 'failed', number>>;
  /** Approvals by who gave them: `person:NAME`, `mode:approve_all`, `grant`. */
  readonly approvedBy: Readonly<Record<string, number>>;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Null where a model that was talked to has no price, or did what has none: never an estimate. */
  readonly costs: Costs | null;
  /** The same for each worker by its name, whoever it acted for. */
  readonly workers: Readonly<Record<string, WorkerTotals>>;
}

export interface WorkerTotals {
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly costs: Costs | null;
}

/** What models took, by the prices of the project's configuration. */
export interface Costs {
  /** To a millionth. */
  readonly amount: number;
  readonly currency: string;
}
