import type { Question } from '../asking/question.js';
import type { RefusalCode } from '../asking/refusal.js';
import type { CallDecision } from '../decide/decide.js';
import type { Grant, Keeping } from '../decide/grant.js';
import type { Origin } from '../decide/origin.js';
import type { NonEmpty } from '../words/decision.js';
import type { Json, JsonObject } from '../words/json.js';
import type { GuardChange } from './watch.js';

/** What is recorded. A log adds `v`, `seq`, `time` (from `now`), `run`, `prev` and `hash`, and masks. */
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
  /** The same of the project's configuration; left out where there is none. */
  readonly configuration?: string;
  /** The key that signs the log, as it is handed to others; left out where none does. */
  readonly signer?: string;
  /** How often the run has been continued, this time counted; left out where it begins. */
  readonly resumed?: number;
}

export interface PolicyEvent extends EventBase {
  readonly event: 'policy';
  /** All of them at the start; at a reload those that are new or changed. */
  readonly files: readonly {
    readonly name: string;
    readonly sha256: string;
    readonly source: string;
    /** Whether it only observes; left out where it judges. */
    readonly observed?: boolean;
  }[];
  /** What `./` and `~/` stand for in them: absolute. */
  readonly root?: string;
  readonly home?: string;
  /** Why a reload failed: the run goes on under the policies that it has. */
  readonly problems?: readonly string[];
}

/** A call as it was judged, or refused before that. */
export type DecisionEvent = EventBase & {
  readonly event: 'decision';
  readonly call: string;
  /** The id of the call whose tool made this one while it executed. */
  readonly parent?: string;
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  readonly args: Json;
  readonly context: JsonObject;
  /** Names of the capabilities that the run had been permitted before. */
  readonly history: readonly string[];
  /** The grants that the call could draw on, each with its source. */
  readonly grants: readonly Grant[];
  /** Why the call is refused without a judgement, or in spite of one. */
  readonly code?: RefusalCode;
  readonly why?: string;
  /** The origins of the capabilities, in their order; left out where the call was not judged, and in older logs. */
  readonly origins?: readonly Origin[];
  /** What the policies that only observe would have said; null where they failed. Left out where there are none. */
  readonly observed?: CallDecision | null;
  /** Why they failed. */
  readonly observed_why?: string;
} & (CallDecision | { readonly decision: null });

export interface ApprovalEvent extends EventBase {
  readonly event: 'approval';
  readonly call: string;
  readonly how: 'person' | 'mode' | 'grant' | 'timeout' | 'error' | 'nobody';
  /** The person, the mode or the grant. */
  readonly who: Json;
  readonly approved: boolean;
  readonly keep: Keeping | null;
  readonly edited: boolean;
  readonly note: string | null;
  /** Whether a person who refused wants to be asked when the same call comes back; left out where not. */
  readonly ask_again?: boolean;
  /** What the person put in the place of the arguments; left out where they were not edited. */
  readonly args?: Json;
  readonly question: Question | null;
}

export type OutcomeEvent = EventBase & { readonly event: 'outcome'; readonly call: string } & (
    | { readonly outcome: 'completed' }
    | {
        readonly outcome: 'refused';
        readonly code: RefusalCode;
        readonly reason: string;
        /** How often the model came back with a call that a person had refused; left out where it did not. */
        readonly came_back?: number;
      }
    | { readonly outcome: 'failed'; readonly error: string }
  );

/** What guards the run is not what it was when the run began: the run stops. */
export interface GuardChangedEvent extends EventBase {
  readonly event: 'guard_changed';
  /** The call after whose execution it was found; left out where it was found before a permit. */
  readonly after?: string;
  readonly changes: NonEmpty<GuardChange>;
}

export interface EndEvent extends EventBase {
  readonly event: 'end';
  /** `parked`: it waits for an answer, and nobody is there. */
  readonly status: 'finished' | 'stopped' | 'failed' | 'parked';
  readonly why: string | null;
  readonly totals: JsonObject;
}

/** Where a run is recorded. */
export interface Log {
  /** Resolves when all of the events are durable, in this order and with nothing between them; rejects when they are not. */
  append(events: NonEmpty<LogEvent>): Promise<void>;
}
