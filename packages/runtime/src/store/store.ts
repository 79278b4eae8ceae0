import type { Answer, Json, JsonObject, KeptAnswer, LogEvent, NonEmpty, Question } from '@ambit/core';

/** Runs, their steps, questions and kept answers, shared by several processes. Each method is durable and atomic. */
export interface Store {
  /** Adds a run. Rejects a duplicate id. */
  begin(run: StoredRun): Promise<void>;
  run(id: string): Promise<RunRecord | null>;
  runs(): Promise<readonly RunRecord[]>;
  /** Rejects an unknown run. */
  setStatus(run: string, status: RunStatus, at: number): Promise<void>;
  /** Another process continues a run, which is `running` again. Rejects an unknown run. */
  resume(run: string, by: { readonly pid: number; readonly at: number }): Promise<void>;

  /** Deletes a run and its questions, not its kept answers. False if it is missing or has changed. */
  forget(seen: Pick<RunRecord, 'id' | 'status' | 'since' | 'pid'>): Promise<boolean>;

  /** Adds all steps or none. `soon`: they survive this process at once, and a power cut within a second. */
  append(run: string, steps: NonEmpty<Step>, when?: 'now' | 'soon'): Promise<void>;
  /** In order. */
  steps(run: string): Promise<readonly Step[]>;

  /** Stores a question. The same id and digest keeps its answer, or reopens; another digest replaces it. */
  ask(question: AskedQuestion): Promise<void>;
  question(id: string): Promise<StoredQuestion | null>;
  /** Oldest first. */
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
  /** Oldest first, with revoked ones. */
  kept(): Promise<readonly StoredAnswer[]>;
  /** False if it was revoked before. */
  revoke(approval: string, at: number): Promise<boolean>;

  close(): Promise<void>;
}

/** `parked` waits for a person; `running` with a dead process was interrupted. */
export type RunStatus = 'running' | 'parked' | 'finished' | 'stopped' | 'failed';

export interface StoredRun {
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly begun: number;
  readonly worker: string;
  readonly mode: string;
  /** Absolute. */
  readonly log: string;
  readonly pid: number;
  readonly options: JsonObject;
  /** By worker, then by root. */
  readonly roots?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface RunRecord extends StoredRun {
  readonly status: RunStatus;
  readonly since: number;
}

export interface AskedQuestion {
  readonly run: string;
  readonly question: Question;
  /** See `bindingDigest`. */
  readonly digest: string;
  readonly asked: number;
}

export interface StoredQuestion extends AskedQuestion {
  readonly state: 'waiting' | 'answered' | 'withdrawn';
  readonly answer: Answer | null;
  readonly closed: number | null;
}

export type Taken = 'taken' | 'answered_before' | 'withdrawn' | 'another_question' | 'no_such_question';

/** A person's answer that outlives its run. */
export interface StoredAnswer {
  readonly answer: KeptAnswer;
  readonly run: string;
  readonly at: number;
  /** SHA-256 of the tool's definition. The answer ends when it changes. */
  readonly tool: string;
  /** SHA-256 of each judging policy, sorted. The answer ends when the list changes. */
  readonly policies: readonly string[];
  readonly revoked: number | null;
}

/** `NOT_LOADED`: the database cannot be loaded here; `REFUSED`: the new data conflict with stored data. */
type StoreErrorCode = 'NOT_LOADED' | 'UNSAFE_FILE' | 'DAMAGED' | 'NEWER' | 'LOCKED' | 'FAILED' | 'REFUSED';

/** The message names the file and a remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function damagedError(file: string, why: string): StoreError {
  return new StoreError(
    'DAMAGED',
    `${file} is damaged (${why}): put it back from a backup, or move it away, and a new one is made without the runs, questions and kept answers in it`,
  );
}

/**
 * One durable step of a run. Another process can continue it from its steps. A worker's *place* is the id of the call
 * that started it, or of the run.
 */
export type Step =
  | { readonly step: 'entry'; readonly entry: JsonObject }
  /** Events of the log, before masking; stored first. */
  | { readonly step: 'events'; readonly events: NonEmpty<LogEvent> }
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
  | { readonly step: 'results'; readonly place: string; readonly turn: number; readonly results: Json }
  /** Just before a tool executes. */
  | { readonly step: 'executing'; readonly call: string }
  /** `again`: it had no effect and starts over. */
  | { readonly step: 'executed'; readonly call: string; readonly came: Came }
  | { readonly step: 'taken'; readonly question: string };

export type Came = { readonly result: Json } | { readonly error: string } | { readonly again: true };
