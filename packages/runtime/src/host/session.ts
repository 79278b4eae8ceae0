import type { Recovered } from '@ambit/audit';
import type { CallOutcome, JsonObject, NonEmpty } from '@ambit/core';
import type { Problem } from './problem.js';

/** The budget of a run with all its workers; a missing limit does not limit. */
export interface Budget {
  /** Calls of tools, with any decision. */
  readonly calls?: number;
  /**
   * Tokens of all models, in and out. The usage of a turn is known at its end: concurrent turns may exceed
   * the limit together.
   */
  readonly tokens?: number;
  /**
   * From the start of the run, including the time for answers, and without the time in which it was parked or
   * dead.
   */
  readonly minutes?: number;
}

/** A session, or all reasons why there is none. */
export type Opened =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> };

export interface Session {
  /** The id of the run. */
  readonly id: string;
  /** Where the log is. */
  readonly log: string;
  /** Why the run does not survive its process, although this was not requested; otherwise null. */
  readonly unkept: string | null;
  /** The unfinished part of the log from a killed writer, and its new place. It was never acknowledged. */
  readonly setAside: readonly Recovered[];
  /** Runs the entry worker. Once per session. */
  run(entry: EntryCall): Promise<RunResult>;
  /**
   * Calls a worker from the program, beside or instead of `run`. With `caller`, as that worker would: judged,
   * recorded, asked about. Without it, as the user, who is trusted: the call needs no approval, but
   * everything in it is judged. Rejects for an unknown worker, and after the session's end. `resultOf` turns
   * a refusal into an exception.
   */
  callWorker(request: WorkerRequest): Promise<CallOutcome>;
  /** Has a worker created as `creator` would create it: judged, shown, written. */
  createWorker(request: CreateRequest): Promise<CallOutcome>;
  /** Refuses every further call and ends the run. */
  stop(why: string): void;
  /**
   * Leaves a run as it is, to be resumed, as if the process had been killed: `run` ends as `parked`, and
   * `close` cancels current work. A run that is not stored is stopped.
   */
  park(why: string): void;
  /** Stops a run that is under way and waits for its end; then ends the log and every server that the session started. */
  close(): Promise<void>;
}

export interface WorkerRequest {
  readonly worker: string;
  /** Text, or a value for the worker's input schema. */
  readonly input?: string | JsonObject;
  /** With `caller`, files of its roots, `ROOT/rest`; without, the user's own, absolute or from the working folder. */
  readonly attachments?: readonly string[];
  readonly caller?: string;
}

/** What `worker_create` takes. */
export interface CreateRequest {
  /** The creator, which can call it; by default the worker of the opened file. */
  readonly creator?: string;
  readonly name: string;
  readonly instructions: string;
  readonly description: string;
  readonly output_schema?: JsonObject;
  readonly model?: string;
  readonly toolsets?: readonly string[] | JsonObject;
}

export interface EntryCall {
  /** The entry worker's name; by default the worker of the opened file. */
  readonly worker?: string;
  /** Text, or a value for the worker's input schema. */
  readonly input?: string | JsonObject;
  /**
   * Files of the user, absolute or from the working folder: the user hands them over, so no approval is
   * needed.
   */
  readonly attachments?: readonly string[];
}

export interface RunResult {
  /**
   * `stopped`: by a person, over its budget, or because the log could not be written; `failed`: the model or
   * the worker could not continue; `parked`: it waits for an answer, or was left (`park`), and can be
   * resumed.
   */
  readonly status: 'finished' | 'stopped' | 'failed' | 'parked';
  /** The entry worker's last message. */
  readonly output: string;
  /** Why the run did not finish. */
  readonly why: string | null;
  readonly totals: Totals;
}

/** The totals of a run, from recorded events. */
export interface Totals {
  readonly calls: number;
  /** Calls by their first decision: `pre_approved`, `needs_approval`, `blocked`, and `unjudged` for those refused before. */
  readonly decisions: Readonly<Record<'pre_approved' | 'needs_approval' | 'blocked' | 'unjudged', number>>;
  readonly outcomes: Readonly<Record<'completed' | 'refused' | 'failed', number>>;
  /** Approvals by who gave them: `person:NAME`, `mode:approve_all`, `grant`. */
  readonly approvedBy: Readonly<Record<string, number>>;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Null if a used model or tool has no price: never an estimate. */
  readonly costs: Costs | null;
  /** The same for each worker by name, for all callers. */
  readonly workers: Readonly<Record<string, WorkerTotals>>;
}

export interface WorkerTotals {
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly costs: Costs | null;
}

/** The costs of models, by the project's prices. */
export interface Costs {
  /** To a millionth. */
  readonly amount: number;
  readonly currency: string;
}
