import type { Answer, Json, JsonObject, KeptAnswer, LogEvent, NonEmpty, Question } from '@ambit/core';

/**
 * Stores runs, their steps, open questions and kept answers beyond the process of a run. Several processes
 * use it at once. A method's effect is durable when it resolves; if it rejects, there is no effect.
 */
export interface Store {
  /** Adds a run. Rejects a duplicate id. */
  begin(run: StoredRun): Promise<void>;
  run(id: string): Promise<RunRecord | null>;
  /** The newest first. */
  runs(): Promise<readonly RunRecord[]>;
  /** Rejects an unknown run. */
  setStatus(run: string, status: RunStatus, at: number): Promise<void>;
  /** Another process goes on with a run, which is `running` again. Rejects an unknown run. */
  resume(run: string, by: { readonly pid: number; readonly at: number }): Promise<void>;

  /**
   * Deletes a run with its steps and questions; its kept answers stay. False if it is missing or has changed:
   * a process may have resumed it.
   */
  forget(seen: Pick<RunRecord, 'id' | 'status' | 'since' | 'pid'>): Promise<boolean>;

  /**
   * Adds steps to a run, all of them or none, behind all that are there. Rejects an unknown run. `soon`: they outlive this process
   * at once, and a power cut within a second.
   */
  append(run: string, steps: NonEmpty<Step>, when?: 'now' | 'soon'): Promise<void>;
  /** In the order in which they were added. */
  steps(run: string): Promise<readonly Step[]>;

  /**
   * Stores a question for people. One with the same id and digest stays with its answer, and reopens if it
   * was withdrawn; one with another digest is replaced.
   */
  ask(question: AskedQuestion): Promise<void>;
  question(id: string): Promise<StoredQuestion | null>;
  /** The oldest first. */
  questions(): Promise<readonly StoredQuestion[]>;
  /** The first answer to what was shown (`digest`) wins. */
  answer(
    id: string,
    given: { readonly digest: string; readonly answer: Answer; readonly at: number },
  ): Promise<Taken>;
  /** Withdraws a question; an answered one stays. */
  withdraw(id: string, at: number): Promise<void>;

  /** Rejects a duplicate id (`answer.approval`). */
  keep(kept: StoredAnswer): Promise<void>;
  /** Those that were revoked too; the oldest first. */
  kept(): Promise<readonly StoredAnswer[]>;
  /** Whether there was one that was not revoked yet. */
  revoke(approval: string, at: number): Promise<boolean>;

  close(): Promise<void>;
}

/** `parked`: it waits for an absent person; `running` with a dead process: it was interrupted. */
export type RunStatus = 'running' | 'parked' | 'finished' | 'stopped' | 'failed';

/** The options of a run: everything that resuming needs. */
export interface StoredRun {
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly begun: number;
  /** The entry worker's name. */
  readonly worker: string;
  readonly mode: string;
  /** Absolute. */
  readonly log: string;
  /** The process that drives it. */
  readonly pid: number;
  readonly options: JsonObject;
  /** The real folders of each worker's roots, as they were when it began: by worker, then by root. */
  readonly roots?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface RunRecord extends StoredRun {
  readonly status: RunStatus;
  /** When the status was set. */
  readonly since: number;
}

export interface AskedQuestion {
  readonly run: string;
  /** As it is shown; `question.id` is the request id that people answer by. */
  readonly question: Question;
  /** SHA-256, in hex, of the binding of an answer: chain, tool, arguments, capabilities, policies. */
  readonly digest: string;
  readonly asked: number;
}

export interface StoredQuestion extends AskedQuestion {
  readonly state: 'waiting' | 'answered' | 'withdrawn';
  readonly answer: Answer | null;
  /** When it was answered or withdrawn. */
  readonly closed: number | null;
}

export type Taken = 'taken' | 'answered_before' | 'withdrawn' | 'another_question' | 'no_such_question';

/** A person's answer that outlives its run. */
export interface StoredAnswer {
  readonly answer: KeptAnswer;
  readonly run: string;
  readonly at: number;
  /** SHA-256, in hex, of the tool's definition; the answer is void when it changes. */
  readonly tool: string;
  /** The same of each policy that judged, sorted; the answer is void when one changes, goes or comes. */
  readonly policies: readonly string[];
  readonly revoked: number | null;
}

/** `NOT_LOADED`: the database cannot be loaded here; `REFUSED`: the new data conflict with stored data. */
type StoreErrorCode = 'NOT_LOADED' | 'UNSAFE_FILE' | 'DAMAGED' | 'NEWER' | 'LOCKED' | 'FAILED' | 'REFUSED';

/** Why a store cannot be used, or failed; the message names the file and a remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function damaged(file: string, why: string): StoreError {
  return new StoreError(
    'DAMAGED',
    `${file} is damaged (${why}): put it back from a backup, or move it away, and a new one is made without the runs, questions and kept answers in it`,
  );
}

/**
 * One durable step of a run. Its next step follows from its steps alone, so another process can continue it.
 * An active worker is known by its *place*: the id of the call that started it, or of the run for the entry
 * worker.
 */
export type Step =
  /** The run begins with its user's input. */
  | { readonly step: 'entry'; readonly entry: JsonObject }
  /**
   * The next event of the decision log, before masking: stored first, so that no answer is lost between the
   * two.
   */
  | { readonly step: 'events'; readonly events: NonEmpty<LogEvent> }
  /** A worker begins: the first message to its model. */
  | {
      readonly step: 'started';
      readonly place: string;
      readonly chain: NonEmpty<string>;
      readonly model: string;
      readonly content: Json;
    }
  /** A worker's model turn, with the log ids of its calls in order. */
  | {
      readonly step: 'turn';
      readonly place: string;
      readonly turn: number;
      readonly message: Json;
      readonly calls: readonly string[];
    }
  /** The results of all calls of a turn, as the model got them. */
  | { readonly step: 'results'; readonly place: string; readonly turn: number; readonly results: Json }
  /** Just before a tool executes. */
  | { readonly step: 'executing'; readonly call: string }
  /** Just after: its result, or why it failed; `again` if it had no effect and starts over. */
  | { readonly step: 'executed'; readonly call: string; readonly came: Came }
  /** Another agent's call uses the answer to a question, which then no longer counts. */
  | { readonly step: 'taken'; readonly question: string };

export type Came = { readonly result: Json } | { readonly error: string } | { readonly again: true };
