import type { Json, JsonObject, LogEvent, NonEmpty } from '@ambit/core';

/**
 * One durable step of a run. What a run does next follows from its steps alone, so that another process can go on with it. A worker at
 * work is known by its *place*: the id of the call that started it, that of the run for the entry worker.
 */
export type Step =
  /** The run begins with what its user gave. */
  | { readonly step: 'entry'; readonly entry: JsonObject }
  /** What the decision log gets next, as it is before masking: written here first, so that no answer is lost between the two. */
  | { readonly step: 'events'; readonly events: NonEmpty<LogEvent> }
  /** A worker begins: what its model is told first. */
  | {
      readonly step: 'started';
      readonly place: string;
      readonly chain: NonEmpty<string>;
      readonly model: string;
      readonly content: Json;
    }
  /** What a worker's model said, and the ids that its calls have in the log, in their order. */
  | {
      readonly step: 'turn';
      readonly place: string;
      readonly turn: number;
      readonly message: Json;
      readonly calls: readonly string[];
    }
  /** What the model was told about all calls of a turn. */
  | { readonly step: 'results'; readonly place: string; readonly turn: number; readonly results: Json }
  /** Just before a tool executes. */
  | { readonly step: 'executing'; readonly call: string }
  /** Just after: its result, or why it failed; `again` where it had done nothing yet and starts over. */
  | { readonly step: 'executed'; readonly call: string; readonly came: Came };

export type Came = { readonly result: Json } | { readonly error: string } | { readonly again: true };
