import { type CallOutcome, plainRefusal } from '../asking/refusal.js';
import type { CallDecision } from '../decide/decide.js';
import { StartOver } from '../tool/start-over.js';
import { frozenCopy, isJson, type Json } from '../words/json.js';
import { messageOf } from '../words/message-of.js';
import { type Attempt, haltOf, type Passage } from './call-in-progress.js';
import { watchExecution } from './compare-guarded.js';
import type { LogEvent } from './log.js';
import { nestedCalls } from './nested-calls.js';
import { record } from './record.js';
import { refuse } from './refuse.js';

/** A call that found, before any effect, that it does more than was described. */
export interface Again {
  readonly status: 'again';
  readonly learnt: Json;
}

/** Executes a permitted call and records its outcome. A call that starts over has no outcome yet. */
export async function execute(
  passage: Passage,
  attempt: Attempt,
  decision: CallDecision,
): Promise<CallOutcome | Again> {
  const { call, authority } = passage;
  const halt = haltOf(passage);
  if (halt !== null) return refuse(passage, { ...plainRefusal(halt.code), reason: halt.why });
  const watched = watchExecution(passage, decision);
  const outcome = await executed(passage, attempt, decision);
  const { events: changes, stop } = watched();
  if (outcome.status === 'again') {
    await record(passage, changes);
    stop();
    return outcome;
  }
  const base = { now: authority.run.options.clock.now(), event: 'outcome', call } as const;
  const event: LogEvent =
    outcome.status === 'failed'
      ? { ...base, outcome: 'failed', error: outcome.error }
      : { ...base, outcome: 'completed' };
  const isRecorded = await record(passage, [event, ...changes]);
  stop();
  if (isRecorded) return outcome;
  return { status: 'failed', call, error: 'the outcome could not be recorded, so the run stops' };
}

type Executed = Exclude<CallOutcome, { status: 'refused' }>;

async function executed(
  passage: Passage,
  { args, edited, learnt }: Attempt,
  decision: CallDecision,
): Promise<Executed | Again> {
  const { call, tool, authority, signal } = passage;
  const nested = nestedCalls(passage);
  try {
    const described = decision.capabilities;
    const result: unknown = await tool.execute(args, {
      id: call,
      chain: authority.chain,
      described,
      signal,
      call: nested.call,
      ...(learnt === undefined ? {} : { learnt }),
    });
    const value = result ?? null;
    if (!isJson(value))
      return { status: 'failed', call, error: 'the tool gave a result that is not plain JSON' };
    return { status: 'completed', call, result: value satisfies Json, edited: edited ? args : null };
  } catch (error) {
    if (error instanceof StartOver && isJson(error.learnt))
      return { status: 'again', learnt: frozenCopy(error.learnt) };
    return { status: 'failed', call, error: messageOf(error) };
  } finally {
    nested.end();
  }
}
