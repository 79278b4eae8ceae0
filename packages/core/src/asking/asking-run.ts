import type { Refusal } from '../tool/outcome.js';
import type { Clock } from '../words/clock.js';
import type { ApprovalEvent } from './approval-event.js';
import type { Keeper } from './keeper.js';
import type { EarlierAnswers } from './memory.js';
import type { Answer, Approver, Mode, Question } from './question.js';

/** What asking needs to know of a run. */
export interface AskingOptions {
  readonly mode: Mode;
  /** The approver in the mode `interactive`; without one, calls that need approval are refused. */
  readonly approver: Approver | null;
  /** In the mode `strict`: a person's answer from before the run resumed, or null. No person is asked. */
  readonly given?: (question: Question) => Promise<Answer | null>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Milliseconds that a tool may take to describe a call. */
  readonly describeLimit?: number;
  /** Milliseconds that an approver may take to answer; no limit by default. */
  readonly answerLimit?: number;
  /** Keeps answers longer than the run; optional. */
  readonly keeper?: Keeper;
  /** Wraps the waiting of a call for the answer to an identical one; an approver knows of its own. */
  readonly whileWaiting?: <T>(waiting: Promise<T>) => Promise<T>;
  /** What people had answered when the run was interrupted, where it goes on. */
  readonly earlier?: EarlierAnswers;
}

/** The run whose calls are asked about. */
export interface AskingRun {
  readonly options: AskingOptions;
  /** Resolves to whether the events are durable. */
  record(events: readonly ApprovalEvent[]): Promise<boolean>;
  /** Refuses every call from now on. */
  stop(why: string): void;
  /** Why nothing more may happen to a call with this signal, or null. */
  halted(signal: AbortSignal): Refusal | null;
}
