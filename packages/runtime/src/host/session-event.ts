import type { LogEvent, NonEmpty } from '@ambit/core';
import type { Costs } from './session.js';

/** An event of a session, with the version of its form. */
export type SessionEvent = { readonly v: typeof eventVersion } & Happening;

/** Changes when a field is renamed or removed; a new field or type does not count. */
export const eventVersion = 1;

/** The source of a worker's model: its own file, its caller's model, or `--model`. */
export type ModelSource = 'worker' | 'caller' | 'run';

/** Which worker it is about. */
export interface AtWork {
  /** Root first. */
  readonly chain: NonEmpty<string>;
  /** The id of the call that started it, or of the run: tells workers of one chain apart that work at once. */
  readonly place?: string;
}

export type Happening =
  | ({ readonly type: 'worker_started'; readonly model: string; readonly model_from: ModelSource } & AtWork)
  | ({ readonly type: 'model_text'; readonly text: string } & AtWork)
  /** A model has made a call; it is described and judged next. Its decision has the same id. */
  | ({ readonly type: 'call_made'; readonly call: string } & AtWork)
  | ({
      readonly type: 'model_turn';
      readonly model: string;
      readonly tokens: { readonly input: number; readonly output: number };
      /** The number of provider tool uses, which tokens do not cover; absent for none. */
      readonly provider_uses?: number;
      /** Its cost by the project's prices; absent if unknown. */
      readonly costs?: Costs;
    } & AtWork)
  /** Each logged event, in order. */
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
      /** Its differences from the project's defaults for created workers, in words. */
      readonly differs: readonly string[];
      readonly warnings: readonly string[];
    }
  /**
   * A server runs; the offered tools, and why others are left out. The server chose the names: the display
   * escapes them.
   */
  | {
      readonly type: 'toolset_started';
      readonly chain: NonEmpty<string>;
      readonly toolset: string;
      readonly tools: readonly string[];
      readonly left_out: readonly { readonly tool: string; readonly why: string }[];
      /** Those whose definition is another than when it was first seen. */
      readonly changed: readonly string[];
      /** The file of the first definitions; without it, definitions count as new. */
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
