import type { Json, JsonObject, LogEvent, NonEmpty } from '@ambit/core';

/**
 * One durable step of a run. Its next step follows from its steps alone, so another process can continue it.
 * An active worker is known by its *place*: the id of the call that started it, or of the run for the entry
 * worker.
 */
export type Step =
  /** The run begins with its user's input. */
  | { readonly step: 'entry'; readonly entry: JsonObject }
  /**
   * The next event of the decision log, before masking: stored first, so that no answer is lost between the
   * two.
   */
  | { readonly step: 'events'; readonly events: NonEmpty<LogEvent> }
  /** A worker begins: the first message to its model. */
  | {
      readonly step: 'started';
      readonly place: string;
      readonly chain: NonEmpty<string>;
      readonly model: string;
      readonly content: Json;
    }
  /** A worker's model turn, with the log ids of its calls in order. */
  | {
      readonly step: 'turn';
      readonly place: string;
      readonly turn: number;
      readonly message: Json;
      readonly calls: readonly string[];
    }
  /** The results of all calls of a turn, as the model got them. */
  | { readonly step: 'results'; readonly place: string; readonly turn: number; readonly results: Json }
  /** Just before a tool executes. */
  | { readonly step: 'executing'; readonly call: string }
  /** Just after: its result, or why it failed; `again` if it had no effect and starts over. */
  | { readonly step: 'executed'; readonly call: string; readonly came: Came }
  /** Another agent's call uses the answer to a question, which then no longer counts. */
  | { readonly step: 'taken'; readonly question: string };

export type Came = { readonly result: Json } | { readonly error: string } | { readonly again: true };
