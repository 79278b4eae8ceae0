import type { Recovered } from '@ambit/audit';
import type { CallOutcome, JsonObject, NonEmpty } from '@ambit/core';
import type { Problem } from './problem.js';

/** The budget of a run with all its workers; a missing limit does not limit. */
export interface Budget {
  /** Calls of tools, with any decision. */
  readonly calls?: number;
  /** In and out. Concurrent turns may exceed the limit together. */
  readonly tokens?: number;
  /** Since the start, with the time for answers and without time parked or dead. */
  readonly minutes?: number;
}

export type Opened =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> };

export interface Session {
  readonly id: string;
  readonly log: string;
  /** Why the run does not survive its process, although it should; otherwise null. */
  readonly unkept: string | null;
  /** Torn parts of the log that a killed writer left, and where they are now. */
  readonly setAside: readonly Recovered[];
  /** Runs the entry worker. Once per session. */
  run(entry: EntryCall): Promise<RunResult>;
  /**
   * Calls a worker: as `caller` would (judged, recorded, asked about), or as the user, whose call needs no approval.
   * Rejects for an unknown worker, and after the end. `resultOf` turns a refusal into an exception.
   */
  callWorker(request: WorkerRequest): Promise<CallOutcome>;
  /** Has a worker created as `creator` would create it: judged, shown, written. */
  createWorker(request: CreateRequest): Promise<CallOutcome>;
  /** Refuses every further call and ends the run. */
  stop(why: string): void;
  /** Leaves a run to be resumed, as if its process had been killed. A run that is not stored is stopped. */
  park(why: string): void;
  /** Stops and ends the run, its log and its servers. */
  close(): Promise<void>;
}

export interface WorkerRequest {
  readonly worker: string;
  /** Text, or a value for the worker's input schema. */
  readonly input?: string | JsonObject;
  /** With `caller`, `ROOT/rest`; without, absolute or from the working folder. */
  readonly attachments?: readonly string[];
  readonly caller?: string;
}

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
  /** Absolute or from the working folder. The user hands them over without approval. */
  readonly attachments?: readonly string[];
}

export interface RunResult {
  /**
   * `parked` can be resumed: it waits for an answer, or was left. `failed`: the model or the worker could not
   * continue.
   */
  readonly status: 'finished' | 'stopped' | 'failed' | 'parked';
  readonly output: string;
  readonly why: string | null;
  readonly totals: Totals;
}

export interface Totals {
  readonly calls: number;
  /** By first decision; `unjudged` for calls that were refused before. */
  readonly decisions: Readonly<Record<'pre_approved' | 'needs_approval' | 'blocked' | 'unjudged', number>>;
  readonly outcomes: Readonly<Record<'completed' | 'refused' | 'failed', number>>;
  /** Approvals by who gave them: `person:NAME`, `mode:approve_all`, `grant`. */
  readonly approvedBy: Readonly<Record<string, number>>;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Null if a model or tool has no price. */
  readonly costs: Costs | null;
  /** By name, for all callers. */
  readonly workers: Readonly<Record<string, Pick<Totals, 'calls' | 'tokens' | 'costs'>>>;
}

export interface Costs {
  /** To a millionth. */
  readonly amount: number;
  readonly currency: string;
}
