import { type CallOutcome, plainRefusal } from '../tool/outcome.js';
import { isJson, type JsonObject } from '../words/json.js';
import type { CallInProgress } from './call-in-progress.js';
import { refuseUnjudged } from './record.js';

/** The deepest nesting of calls. */
const deepest = 16;

/** Calls of other tools during an execution. `end` cancels current calls and refuses later ones. */
export function nestedCalls(inProgress: CallInProgress): {
  readonly call: (tool: string, args: JsonObject) => Promise<CallOutcome>;
  readonly end: () => void;
} {
  const over = new AbortController();
  const call = (tool: unknown, args: unknown): Promise<CallOutcome> => {
    const { authority } = inProgress;
    const name = String(tool);
    const signal = AbortSignal.any([inProgress.signal, over.signal]);
    const inner = { id: authority.run.options.newId(), name, authority, signal, parent: inProgress };
    const given = isJson(args) ? args : null;
    if (over.signal.aborted)
      return refuseUnjudged(inner, given, plainRefusal('cancelled', 'the call that made it has ended'));
    if (depthOf(inProgress) >= deepest)
      return refuseUnjudged(
        inner,
        given,
        plainRefusal('cannot', `calls lie within calls at most ${deepest} deep`),
      );
    return inProgress.callWithin({ tool: name, args, signal, parent: inProgress });
  };
  return { call, end: () => over.abort() };
}

function depthOf({ parent }: CallInProgress): number {
  return parent === null ? 1 : 1 + depthOf(parent);
}
