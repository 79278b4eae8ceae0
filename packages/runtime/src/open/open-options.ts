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
