import type { Recording } from '@ambit/audit';
import type { Approver, JsonObject, Mode, NonEmpty, Policy } from '@ambit/core';
import type { ApproverFunction } from '../approvers/approver-function.js';
import type { Budget, EntryCall } from '../host/session.js';
import type { SessionEvent } from '../host/session-event.js';
import type { Store } from '../store/store.js';
import type { GivenToolset } from '../worker-file/given-toolsets.js';

/** Everything that a run is opened with; the same from the command line and from code. */
export interface OpenOptions {
  /** The working folder: what `./` means in policies and worker files, and where the log goes. Absolute. */
  readonly root: string;
  /** Policy files, or policies made in code. `/etc/ambit/policy.yaml` is added if it exists. */
  readonly policies: NonEmpty<string | Policy>;
  /** Files of observing policies: they are recorded beside the decisions, and not reloaded. */
  readonly observe?: readonly string[];
  /** The entry worker's `.worker` file, whose folder is the registry; or a folder, all of whose workers are loaded. */
  readonly workers: string;
  readonly mode: Mode;
  /** What `run` will be given: input that does not fit its worker is a problem then, before anything is written, and no run that fails. */
  readonly entry?: EntryCall;
  /** Who is asked in the mode `interactive`. */
  readonly approver?: Approver | ApproverFunction | null;
  /** The host's statements about the run, for conditions. */
  readonly context?: JsonObject;
  /** The log file; by default `RUN.jsonl` in the user's state folder, under the working folder's name. */
  readonly log?: string;
  /** Rotation, commit mode and masked arguments of the log. */
  readonly recording?: Recording;
  /** `anthropic:NAME`, `openai:NAME`, `openai-chat:NAME` or `script:FILE`, for workers that state none. */
  readonly model?: string;
  /** Asks by name for a set of policies that all say `default: pre_approved`. */
  readonly open?: boolean;
  /**
   * Toolsets from code, by name: shared instances, factories for each call, and workers of other folders
   * (`asToolset`).
   */
  readonly toolsets?: readonly GivenToolset[];
  /** Folders that replace those of roots in worker files. */
  readonly folders?: Readonly<Record<string, string>>;
  /** The budget of the run, which is stopped beyond it. */
  readonly budget?: Budget;
  /** Milliseconds that an approver may take to answer. */
  readonly answerLimit?: number;
  /** The id of an interrupted or parked run, or its beginning: that run resumes. See `resume`. */
  readonly resume?: string;
  /** End the run with the status `parked` at a question without an answer. */
  readonly park?: boolean;
  /** In the mode `interactive` without an approver: questions wait to be answered from elsewhere, `ambit approvals`. */
  readonly wait?: boolean;
  /** Where the run is stored; by default the user's state folder, and with null only in memory. */
  readonly store?: Store | null;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Makes the run a conversation: gets the last words of the entry worker's model, and gives the user's next
   * ones, or null to end it. What was said is stored, so a resumed run goes on with it.
   */
  readonly nextTurn?: (said: string, signal: AbortSignal) => Promise<string | null>;
  readonly onEvent?: (event: SessionEvent) => void;
}
