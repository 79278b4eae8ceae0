import type { ApprovalEvent } from '../asking/approval-event.js';
import type { Grant } from '../decide/grant.js';
import type { CallDecision } from '../decide/judgement.js';
import type { Origin } from '../decide/origin.js';
import type { RefusalCode } from '../tool/outcome.js';
import type { NonEmpty } from '../words/decision.js';
import type { Json, JsonObject } from '../words/json.js';
import type { GuardChange } from './watch.js';

/** Events to record. A log adds `v`, `seq`, `time` (from `now`), `run`, `prev` and `hash`, and masks. */
export type LogEvent =
  | RunEvent
  | PolicyEvent
  | DecisionEvent
  | ApprovalEvent
  | OutcomeEvent
  | GuardChangedEvent
  | EndEvent;

interface EventBase {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
}

export interface RunEvent extends EventBase {
  readonly event: 'run';
  readonly version: string;
  readonly user: string;
  readonly machine: string;
  readonly mode: string;
  readonly context: JsonObject;
  /** SHA-256, in hex, of each worker file and toolset by name. */
  readonly workers: Readonly<Record<string, string>>;
  readonly toolsets: Readonly<Record<string, string>>;
  /** The same for the project's configuration; absent if there is none. */
  readonly configuration?: string;
  /** The public key that signs the log; absent for an unsigned log. */
  readonly signer?: string;
  /** The number of resumes, including this one; absent at the start. */
  readonly resumed?: number;
}

export interface PolicyEvent extends EventBase {
  readonly event: 'policy';
  /** All of them at the start; at a reload the new and changed ones. */
  readonly files: readonly {
    readonly name: string;
    readonly sha256: string;
    readonly source: string;
    /** Whether it only observes; absent if it judges. */
    readonly observed?: boolean;
  }[];
  /** The absolute folders of `./` and `~/` in them. */
  readonly root?: string;
  readonly home?: string;
  /** Why a reload failed: the run goes on under the policies that it has. */
  readonly problems?: readonly string[];
}

/** A judged call, or one that was refused before. */
export type DecisionEvent = EventBase & {
  readonly event: 'decision';
  readonly call: string;
  /** The id of the call that made this one while it executed. */
  readonly parent?: string;
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  readonly args: Json;
  readonly context: JsonObject;
  /** Names of the capabilities that the run had been permitted before. */
  readonly history: readonly string[];
  /** The available grants, each with its source. */
  readonly grants: readonly Grant[];
  /** Why the call is refused without a judgement, or in spite of one. */
  readonly code?: RefusalCode;
  readonly why?: string;
  /** The origins of the capabilities, in their order; absent without a judgement, and in older logs. */
  readonly origins?: readonly Origin[];
  /** The decision of observing policies; null if they failed. Absent if there are none. */
  readonly observed?: CallDecision | null;
  /** Why they failed. */
  readonly observed_why?: string;
} & (CallDecision | { readonly decision: null });

export type OutcomeEvent = EventBase & { readonly event: 'outcome'; readonly call: string } & (
    | { readonly outcome: 'completed' }
    | {
        readonly outcome: 'refused';
        readonly code: RefusalCode;
        readonly reason: string;
        /** How often the model repeated a call that a person had refused; absent for never. */
        readonly came_back?: number;
      }
    | { readonly outcome: 'failed'; readonly error: string }
  );

/** A guarded file changed after the run began: the run stops. */
export interface GuardChangedEvent extends EventBase {
  readonly event: 'guard_changed';
  /** The call after whose execution it was found; absent if it was found before a permit. */
  readonly after?: string;
  readonly changes: NonEmpty<GuardChange>;
}

export interface EndEvent extends EventBase {
  readonly event: 'end';
  /** `parked`: it waits for an absent person. */
  readonly status: 'finished' | 'stopped' | 'failed' | 'parked';
  readonly why: string | null;
  readonly totals: JsonObject;
}

/** Records a run. */
export interface Log {
  /**
   * Resolves when all of the events are durable, in this order and with nothing between them; rejects when
   * they are not. An error with the code `WRITE_FAILED` or `LOST` begins with the words that the log cannot
   * be written. With `soon`, a log may wait for the next events, and write them together.
   */
  append(events: NonEmpty<LogEvent>, when?: 'soon'): Promise<void>;
  /**
   * Whether what is appended is durable only where all before it is. Then a decision does not wait for the one before to be durable:
   * both become so together.
   */
  readonly inOrder?: boolean;
}
