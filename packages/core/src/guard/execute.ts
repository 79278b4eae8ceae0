import type { Attempt } from '../asking/asked-call.js';
import type { CallDecision } from '../decide/judgement.js';
import { type CallOutcome, plainRefusal } from '../tool/outcome.js';
import { StartOver } from '../tool/tool.js';
import { isJson, type Json, type JsonObject, jsonCopy } from '../words/json.js';
import { messageOf, orNull } from '../words/text.js';
import type { CallInProgress } from './authority.js';
import { watchExecution } from './compare-guarded.js';
import type { LogEvent } from './log.js';
import { refuse, refuseUnjudged } from './record.js';

/** A call that waited, or found, before any effect, that it does more than was described. */
export interface Again {
  readonly status: 'again';
  readonly learnt?: Json | undefined;
}

/** Records the outcome, unless the call starts over. */
export async function execute(
  inProgress: CallInProgress,
  attempt: Attempt,
  decision: CallDecision,
): Promise<CallOutcome | Again> {
  const { id: call } = inProgress;
  const { run } = inProgress.authority;
  const halted = run.halted(inProgress.signal);
  if (halted !== null) return refuse(inProgress, halted);
  if (run.options.elsewhere !== true) {
    const waited = run.dependent.begin(inProgress, {
      args: attempt.args,
      capabilities: decision.capabilities,
    });
    if (waited !== null) {
      const cannot = await waited;
      return cannot === null
        ? { status: 'again', learnt: attempt.learnt }
        : refuse(inProgress, plainRefusal('cannot', cannot));
    }
  }
  const watched = watchExecution(inProgress, decision);
  const outcome = await executeTool(inProgress, attempt, decision);
  const { events: changes, stop } = watched();
  if (outcome.status === 'again') {
    await run.record(changes);
    stop();
    return outcome;
  }
  const now = run.options.clock.now();
  const event: LogEvent =
    outcome.status === 'failed'
      ? { now, event: 'outcome', call, outcome: 'failed', error: outcome.error }
      : { now, event: 'outcome', call, outcome: 'completed' };
  const isRecorded = await run.record([event, ...changes]);
  stop();
  if (isRecorded) return outcome;
  return { status: 'failed', call, error: 'the outcome could not be recorded, so the run stops' };
}

type Executed = Exclude<CallOutcome, { status: 'refused' }>;

async function executeTool(
  inProgress: CallInProgress,
  { args, edited, learnt }: Attempt,
  decision: CallDecision,
): Promise<Executed | Again> {
  const { id: call, tool, chain, signal } = inProgress;
  const nested = nestedCalls(inProgress);
  try {
    const described = decision.capabilities;
    const result: unknown = await tool.execute(args, {
      id: call,
      chain,
      described,
      signal,
      call: nested.call,
      ...(learnt === undefined ? {} : { learnt }),
    });
    // A copy: the tool may still write the object that it returned.
    const value = jsonCopy(result ?? null);
    if (value === undefined)
      return { status: 'failed', call, error: 'the tool returned a result that is not plain JSON' };
    return { status: 'completed', call, result: value, edited: edited ? args : null };
  } catch (error) {
    const learnt = learntFrom(error);
    if (learnt !== undefined) return { status: 'again', learnt };
    return { status: 'failed', call, error: messageOf(error) };
  } finally {
    nested.end();
  }
}

/** Undefined unless the call starts over. Reading what a tool throws may throw. */
function learntFrom(error: unknown): Json | undefined {
  return orNull(() => (error instanceof StartOver ? { learnt: jsonCopy(error.learnt) } : null))?.learnt;
}

const deepest = 16;

/** `end` cancels current calls and refuses later ones. */
function nestedCalls(inProgress: CallInProgress): {
  readonly call: (tool: string, args: JsonObject) => Promise<CallOutcome>;
  readonly end: () => void;
} {
  // Only for an executed call: an abort controller costs more than a decision.
  let over: AbortController | null = null;
  let isOver = false;
  const call = (tool: unknown, args: unknown): Promise<CallOutcome> => {
    const { authority } = inProgress;
    const name = String(tool);
    over ??= new AbortController();
    const signal = AbortSignal.any([inProgress.signal, over.signal]);
    const inner = { id: authority.run.options.newId(), name, authority, signal, parent: inProgress };
    const refused = isOver
      ? plainRefusal('cancelled', 'the call that made it has ended')
      : depthOf(inProgress) >= deepest
        ? plainRefusal('cannot', `calls are nested at most ${deepest} levels deep`)
        : null;
    if (refused !== null) return refuseUnjudged(inner, isJson(args) ? args : null, refused);
    return inProgress.callWithin({ tool: name, args, signal, parent: inProgress });
  };
  const end = () => {
    isOver = true;
    over?.abort();
  };
  return { call, end };
}

function depthOf({ parent }: CallInProgress): number {
  return parent === null ? 1 : 1 + depthOf(parent);
}
