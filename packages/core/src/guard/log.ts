import type { ApprovalEvent } from '../asking/question.js';
import type { Grant } from '../decide/grant.js';
import type { CallDecision } from '../decide/judgement.js';
import type { Origin } from '../decide/origin.js';
import type { RefusalCode } from '../tool/outcome.js';
import type { NonEmpty } from '../words/decision.js';
import type { Json, JsonObject } from '../words/json.js';
import type { GuardChange } from './watch.js';

/** A log adds `v`, `seq`, `time`, `run`, `prev` and `hash`, and masks. */
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
  /** SHA-256, in hex, by name. */
  readonly workers: Readonly<Record<string, string>>;
  readonly toolsets: Readonly<Record<string, string>>;
  /** Absent if there is none. */
  readonly configuration?: string;
  /** Absent for an unsigned log. */
  readonly signer?: string;
  /** Counts this one; absent at the start. */
  readonly resumed?: number;
}

export interface PolicyEvent extends EventBase {
  readonly event: 'policy';
  /** At a reload the new and changed ones. */
  readonly files: readonly {
    readonly name: string;
    readonly sha256: string;
    readonly source: string;
    /** Absent if it judges. */
    readonly observed?: boolean;
  }[];
  readonly root?: string;
  readonly home?: string;
  readonly problems?: readonly string[];
}

/** A judged call, or one that was refused before. */
export type DecisionEvent = EventBase & {
  readonly event: 'decision';
  readonly call: string;
  readonly parent?: string;
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  readonly args: Json;
  readonly context: JsonObject;
  /** Names of the capabilities that the run had been permitted before. */
  readonly history: readonly string[];
  readonly grants: readonly Grant[];
  /** Why the call is refused without a judgement, or in spite of one. */
  readonly code?: RefusalCode;
  readonly why?: string;
  /** Absent without a judgement, and in older logs. */
  readonly origins?: readonly Origin[];
  /** Null if observing failed. Absent without observing policies. */
  readonly observed?: CallDecision | null;
  readonly observed_why?: string;
} & (CallDecision | { readonly decision: null });

export type OutcomeEvent = EventBase & { readonly event: 'outcome'; readonly call: string } & (
    | { readonly outcome: 'completed' }
    | {
        readonly outcome: 'refused';
        readonly code: RefusalCode;
        readonly reason: string;
        /** Absent for never. */
        readonly came_back?: number;
      }
    | { readonly outcome: 'failed'; readonly error: string }
  );

/** A guarded file changed after the run began: the run stops. */
export interface GuardChangedEvent extends EventBase {
  readonly event: 'guard_changed';
  /** Absent if it was found before a permit. */
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

export interface Log {
  /**
   * Resolves when all events are durable, in this order. An error with the code `WRITE_FAILED` or `LOST` says that
   * the log cannot be written. `soon`: the log may wait for further events.
   */
  append(events: NonEmpty<LogEvent>, when?: 'soon'): Promise<void>;
  /** Whether events are durable only after all earlier ones: then decisions need not wait for each other. */
  readonly inOrder?: boolean;
}
