import type { LogEvent, NonEmpty } from '@ambit/core';
import type { Costs } from './session.js';

/** What happens in a session, for whoever shows it: what happened, and the version of how it is told. */
export type SessionEvent = { readonly v: typeof eventVersion } & Happening;

/** Another one where a field is renamed or goes; a new field or a new type is no other version. */
export const eventVersion = 1;

/** Where a worker's model comes from: its own file, the model of its caller, or what the run was given for all (`--model`). */
export type ModelSource = 'worker' | 'caller' | 'run';

/** Which worker it is about. */
export interface AtWork {
  /** Root first. */
  readonly chain: NonEmpty<string>;
  /** The id of the call that started it, or of the run: tells workers of one chain apart that work at once. */
  readonly place?: string;
}

export type Happening =
  | ({
      readonly type: 'worker_started';
      readonly model: string;
      readonly model_from: ModelSource;
    } & AtWork)
  | ({ readonly type: 'model_text'; readonly text: string } & AtWork)
  /** A model has made a call; it is described and judged next. Its decision has the same id. */
  | ({ readonly type: 'call_made'; readonly call: string } & AtWork)
  | ({
      readonly type: 'model_turn';
      readonly model: string;
      readonly tokens: { readonly input: number; readonly output: number };
      /** How often tools of the model's provider ran in it, which tokens do not pay for; left out where they did not. */
      readonly provider_uses?: number;
      /** What it cost, by the prices of the project; left out where they do not say. */
      readonly costs?: Costs;
    } & AtWork)
  /** Whatever was written to the log, in its order. */
  | { readonly type: 'recorded'; readonly event: LogEvent }
  /** A worker was created, and can be called from now on; after the file was written. */
  | {
      readonly type: 'worker_created';
      /** Its creator's. */
      readonly chain: NonEmpty<string>;
      /** `created:NAME` */
      readonly worker: string;
      /** As it is shown. */
      readonly file: string;
      readonly sha256: string;
      readonly toolsets: readonly string[];
      /** In what it differs from what the project's configuration says for workers that are created, in words. */
      readonly differs: readonly string[];
      readonly warnings: readonly string[];
    }
  /** A server runs; which of its tools are offered, and why the others are not. The server chose the names: whoever shows them escapes them. */
  | {
      readonly type: 'toolset_started';
      readonly chain: NonEmpty<string>;
      readonly toolset: string;
      readonly tools: readonly string[];
      readonly left_out: readonly { readonly tool: string; readonly why: string }[];
      /** Those whose definition is another than when it was first seen. */
      readonly changed: readonly string[];
      /** The file that keeps what was first seen; without it everything is seen anew. */
      readonly first_seen: string;
    }
  /** An answer that was kept does not count for calls like the one that is made now. */
  | {
      readonly type: 'answer_void';
      readonly approval: string;
      readonly person: string;
      readonly tool: string;
      readonly chain: NonEmpty<string>;
      readonly why: string;
    }
  | ({ readonly type: 'worker_finished'; readonly output: string } & AtWork);
