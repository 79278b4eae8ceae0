import { defineToolset, forReference, guard, type JsonObject, type Tool } from '@ambit/core';
import type { ActingWorker } from '../catalogue/catalogue.js';
import { type Journal, startedAs } from '../journal/journal.js';

interface StartCall {
  readonly acting: Pick<ActingWorker, 'authority' | 'place'>;
  readonly journal: Journal;
  /** As errors and the journal name it. */
  readonly toolset: string;
  readonly args: JsonObject;
  /** Added to a refusal with this code. */
  readonly hint?: (code: string) => string;
}

/** Makes the call `toolset.start`: judged and recorded before the tool starts anything. Throws if nothing was started. */
export async function callStart(
  start: Tool,
  { acting, journal, toolset, args, hint = () => '' }: StartCall,
): Promise<void> {
  const starter = guard(
    defineToolset({ name: 'toolset', tools: [start] }),
    forReference(acting.authority, { layers: [], grants: [] }),
  );
  const call = { tool: 'start', args, ...startedAs(journal, acting.place, toolset) };
  const outcome = await starter.call(call);
  if (outcome.status === 'failed') throw new Error(`the toolset ${toolset} did not start: ${outcome.error}`);
  if (outcome.status === 'completed') return;
  const { code, reason } = outcome.refusal;
  throw new Error(`the toolset ${toolset} may not start: ${code}: ${reason}${hint(code)}`);
}
