import type { Refusal } from '../tool/outcome.js';
import type { Clock } from '../words/clock.js';
import type { Keeper } from './asked-call.js';
import type { EarlierAnswers } from './memory.js';
import type { Answer, ApprovalEvent, Approver, Mode, Question } from './question.js';

export interface AskingOptions {
  readonly mode: Mode;
  /** Without one, calls that need approval are refused. */
  readonly approver: Approver | null;
  /** Earlier answers for the mode `strict`, which asks no one. */
  readonly given?: (question: Question) => Promise<Answer | null>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Milliseconds for describing a call. */
  readonly describeLimit?: number;
  /** Milliseconds for an answer; no limit by default. */
  readonly answerLimit?: number;
  readonly keeper?: Keeper;
  /** Wraps the waiting for an identical call's answer. */
  readonly whileWaiting?: <T>(waiting: Promise<T>) => Promise<T>;
  /** Answers from before an interruption. */
  readonly earlier?: EarlierAnswers;
}

export interface AskingRun {
  readonly options: AskingOptions;
  /** Resolves to whether the events are durable. */
  record(events: readonly ApprovalEvent[]): Promise<boolean>;
  /** Refuses every call from now on. */
  stop(why: string): void;
  /** Null while the call may go on. */
  halted(signal: AbortSignal): Refusal | null;
}
