import type { CallOutcome } from '../asking/refusal.js';
import { isJson, type JsonObject } from '../words/json.js';
import type { Passage } from './call-in-progress.js';
import { refuseUnjudged } from './refuse.js';

/** The deepest nesting of calls. */
const deepest = 16;

/** Calls of other tools during an execution. `end` cancels current calls and refuses later ones. */
export function nestedCalls(passage: Passage): {
  readonly call: (tool: string, args: JsonObject) => Promise<CallOutcome>;
  readonly end: () => void;
} {
  const over = new AbortController();
  const call = (tool: unknown, args: unknown): Promise<CallOutcome> => {
    const { authority } = passage;
    const name = String(tool);
    const signal = AbortSignal.any([passage.signal, over.signal]);
    const inner = { call: authority.run.options.newId(), name, authority, signal, parent: passage };
    const given = isJson(args) ? args : null;
    if (over.signal.aborted)
      return refuseUnjudged(inner, given, { code: 'cancelled', why: 'the call that made it has ended' });
    if (depthOf(passage) >= deepest)
      return refuseUnjudged(inner, given, {
        code: 'cannot',
        why: `calls lie within calls at most ${deepest} deep`,
      });
    return passage.callWithin({ tool: name, args, signal, parent: passage });
  };
  return { call, end: () => over.abort() };
}

function depthOf({ parent }: Passage): number {
  return parent === null ? 1 : 1 + depthOf(parent);
}
