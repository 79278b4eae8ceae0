import type { LogEvent, NonEmpty } from '@ambit/core';
import type { Costs } from './session.js';

/** An event of a session, with the version of its form. */
export type SessionEvent = { readonly v: typeof eventVersion } & Happening;

/** Changes when a field is renamed or removed; a new field or type does not count. */
export const eventVersion = 1;

/** Its own file, its caller's model, or `--model`. */
export type ModelSource = 'worker' | 'caller' | 'run';

export interface AtWork {
  /** Root first. */
  readonly chain: NonEmpty<string>;
  /** The id of the call that started it, or of the run: tells equal chains apart. */
  readonly place?: string;
}

export type Happening =
  | ({ readonly type: 'worker_started'; readonly model: string; readonly model_from: ModelSource } & AtWork)
  | ({ readonly type: 'model_text'; readonly text: string } & AtWork)
  /** Its decision has the same id. */
  | ({ readonly type: 'call_made'; readonly call: string } & AtWork)
  | ({
      readonly type: 'model_turn';
      readonly model: string;
      readonly tokens: { readonly input: number; readonly output: number };
      /** Provider tool uses, which tokens do not count; absent for none. */
      readonly provider_uses?: number;
      /** Its cost by the project's prices; absent if unknown. */
      readonly costs?: Costs;
    } & AtWork)
  /** Each logged event, in order. */
  | { readonly type: 'recorded'; readonly event: LogEvent }
  /** A worker was created and its file written. */
  | {
      readonly type: 'worker_created';
      readonly chain: NonEmpty<string>;
      /** `created:NAME` */
      readonly worker: string;
      readonly file: string;
      readonly sha256: string;
      readonly toolsets: readonly string[];
      /** Its differences from the project's defaults for created workers, in words. */
      readonly differs: readonly string[];
      readonly warnings: readonly string[];
    }
  /** A server runs: offered tools, and why others are left out. Its names are not escaped. */
  | {
      readonly type: 'toolset_started';
      readonly chain: NonEmpty<string>;
      readonly toolset: string;
      readonly tools: readonly string[];
      readonly left_out: readonly { readonly tool: string; readonly why: string }[];
      readonly changed: readonly string[];
      /** Without the file of first definitions, all definitions are new. */
      readonly first_seen: string;
    }
  /** A kept answer no longer counts for calls like this one. */
  | {
      readonly type: 'answer_void';
      readonly approval: string;
      readonly person: string;
      readonly tool: string;
      readonly chain: NonEmpty<string>;
      readonly why: string;
    }
  | ({ readonly type: 'worker_finished'; readonly output: string } & AtWork);
