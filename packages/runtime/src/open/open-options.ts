import type { Recording } from '@ambit/audit';
import type { Approver, JsonObject, Mode, NonEmpty, Policy } from '@ambit/core';
import type { ApproverFunction } from '../approvers/approver-function.js';
import type { Budget, EntryCall } from '../host/session.js';
import type { SessionEvent } from '../host/session-event.js';
import type { Store } from '../store/store.js';
import type { GivenToolset } from '../worker-file/given-toolsets.js';

/** Everything that a run is opened with; the same from the command line and from code. */
export interface OpenOptions {
  /** Absolute: `./` in policies and worker files. */
  readonly root: string;
  /** `/etc/ambit/policy.yaml` is added if it exists. */
  readonly policies: NonEmpty<string | Policy>;
  /** Observing policies are recorded beside the decisions, and not reloaded. */
  readonly observe?: readonly string[];
  /** The entry worker's file, whose folder is the registry; or a folder of workers. */
  readonly workers: string;
  readonly mode: Mode;
  /** Checked before anything is written. */
  readonly entry?: EntryCall;
  readonly approver?: Approver | ApproverFunction | null;
  readonly context?: JsonObject;
  /** By default `RUN.jsonl` in the user's state folder. */
  readonly log?: string;
  readonly recording?: Recording;
  /** For workers that state none. */
  readonly model?: string;
  /** Allows a set of policies that all say `default: pre_approved`. */
  readonly open?: boolean;
  /** Toolsets from code: shared instances, factories for each call, and workers (`asToolset`). */
  readonly toolsets?: readonly GivenToolset[];
  readonly folders?: Readonly<Record<string, string>>;
  readonly budget?: Budget;
  /** Milliseconds for each answer. */
  readonly answerLimit?: number;
  /** The id of a run, or its beginning. See `resume`. */
  readonly resume?: string;
  /** Park the run at an unanswered question. */
  readonly park?: boolean;
  /** Without an approver, questions wait for `ambit approvals`. */
  readonly wait?: boolean;
  /** By default the user's state folder; null keeps the run in memory. */
  readonly store?: Store | null;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Makes the run a conversation: takes the model's words, gives the user's next ones, or null to end it. */
  readonly nextTurn?: (said: string, signal: AbortSignal) => Promise<string | null>;
  readonly onEvent?: (event: SessionEvent) => void;
}
