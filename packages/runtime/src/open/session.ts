import type { Recording, Recovered } from '@ambit/audit';
import type { Approver, CallOutcome, JsonObject, Mode, NonEmpty, Policy } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import type { ApproverFunction } from '../approvers/approver-function.js';
import type { SessionEvent } from '../journal/session-event.js';
import type { Store } from '../store/store.js';
import type { GivenToolset } from '../worker-file/given-toolsets.js';

/** Everything that a run is opened with; the same from the command line and from code. */
export interface OpenOptions {
  /** The working folder: what `./` means in policies and worker files, and where the log goes. Absolute. */
  readonly root: string;
  /** Policy files, or policies made in code. `/etc/ambit/policy.yaml` is added where it exists. */
  readonly policies: NonEmpty<string | Policy>;
  /** Files of policies that judge beside those, and are only recorded: what they would have said. They are not loaded again. */
  readonly observe?: readonly string[];
  /** The entry worker's `.worker` file, whose folder is the registry; or a folder, all of whose workers are loaded. */
  readonly workers: string;
  readonly mode: Mode;
  /** What `run` will be given: input that does not fit its worker is a problem then, before anything is written, and no run that fails. */
  readonly entry?: EntryCall;
  /** Who is asked in the mode `interactive`. */
  readonly approver?: Approver | ApproverFunction | null;
  /** What the host says about the run, for conditions. */
  readonly context?: JsonObject;
  /** The log file; `RUN.jsonl` in the user's state folder, under the working folder's name, where left out. */
  readonly log?: string;
  /** When the log goes on in another file, how it gets to the disk, and which arguments of which tools are secret. */
  readonly recording?: Recording;
  /** `anthropic:NAME` or `script:FILE`, for workers that state none. */
  readonly model?: string;
  /** Asks by name for a set of policies that all say `default: pre_approved`. */
  readonly open?: boolean;
  /** Made in code, for workers to refer to by name: instances that they share, what makes one for each call, workers of other folders (`asToolset`). */
  readonly toolsets?: readonly GivenToolset[];
  /** Folders that take the place of those that worker files name for their roots. */
  readonly folders?: Readonly<Record<string, string>>;
  /** What the run may take; it is stopped where it goes over. */
  readonly budget?: Budget;
  /** Milliseconds that an approver may take to answer. */
  readonly answerLimit?: number;
  /** The id of a run that was interrupted or is parked, or its beginning: that run goes on, as it was begun. See `resume`. */
  readonly resume?: string;
  /** Where a question is asked that nobody has answered yet, the run ends there with the status `parked`, and is resumed later. */
  readonly park?: boolean;
  /** In the mode `interactive` without an approver: questions wait to be answered from elsewhere, `ambit approvals`. */
  readonly wait?: boolean;
  /** Where the run is kept so that it survives; the user's state folder where left out, and the memory of the process where null. */
  readonly store?: Store | null;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly onEvent?: (event: SessionEvent) => void;
}

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

/** Why nothing can run: a diagnostic of a file, or something else that is wrong with what was given. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly help: string | null;
  /** The place in a file, where there is one. */
  readonly diagnostic: Diagnostic | null;
}

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
