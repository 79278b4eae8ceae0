import { type Interrupted, interruptedCall } from '@ambit/core';
import type { Journal } from './journal.js';

/** As which call a toolset is started at a place: what people had answered about it before the run was interrupted still counts. */
export function startedAs(
  journal: Journal,
  place: string,
  toolset: string,
): { readonly id: string; readonly interrupted?: Interrupted } {
  const id = journal.startId(place, toolset);
  const past = journal.past.calls.get(id);
  // What a start has done ended with its process.
  return past === undefined ? { id } : { id, interrupted: interruptedCall(past.events, false) };
}
