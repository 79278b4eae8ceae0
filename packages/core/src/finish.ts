import type { CallDecision } from './decide.js';
import { messageOf } from './describe-call.js';
import { isJson, type Json } from './json.js';
import type { LogEvent } from './log.js';
import { type Attempt, type Entrance, type Halt, haltOf, type Passage } from './passage.js';
import { record, unjudgedEvent } from './record.js';
import { type CallOutcome, plainRefusal, type Refusal, unrecorded } from './refusal.js';

/** Executes what was permitted, and records what came of it. */
export async function execute(
  passage: Passage,
  attempt: Attempt,
  decision: CallDecision,
): Promise<CallOutcome> {
  const { call, authority } = passage;
  const halt = haltOf(passage);
  if (halt !== null) return refuse(passage, { ...plainRefusal(halt.code), reason: halt.why });
  const outcome = await executed(passage, attempt, decision);
  const base = { now: authority.run.options.clock.now(), event: 'outcome', call } as const;
  const event: LogEvent =
    outcome.status === 'failed'
      ? { ...base, outcome: 'failed', error: outcome.error }
      : { ...base, outcome: 'completed' };
  if (await record(passage, [event])) return outcome;
  return { status: 'failed', call, error: 'the outcome could not be recorded, so the run stops' };
}

/** Records a refusal and returns it. */
export async function refuse(passage: Entrance, refusal: Refusal): Promise<CallOutcome> {
  const { call, authority } = passage;
  const { code, reason } = refusal;
  if (code !== 'unrecorded') {
    const now = authority.run.options.clock.now();
    await record(passage, [{ now, event: 'outcome', call, outcome: 'refused', code, reason }]);
  }
  return { status: 'refused', call, refusal };
}

/** Records and refuses a call that cannot be judged. */
export async function refuseUnjudged(passage: Entrance, args: unknown, halt: Halt): Promise<CallOutcome> {
  const isRecorded = await record(passage, [unjudgedEvent(passage, args, halt)]);
  return refuse(passage, isRecorded ? { ...plainRefusal(halt.code), reason: halt.why } : unrecorded);
}

type Executed = Exclude<CallOutcome, { status: 'refused' }>;

async function executed(
  passage: Passage,
  { args, edited }: Attempt,
  decision: CallDecision,
): Promise<Executed> {
  const { call, tool, authority, signal } = passage;
  try {
    const described = decision.capabilities;
    const result: unknown = await tool.execute(args, { call, chain: authority.chain, described, signal });
    const value = result ?? null;
    if (!isJson(value))
      return { status: 'failed', call, error: 'the tool gave a result that is not plain JSON' };
    return { status: 'completed', call, result: value satisfies Json, edited: edited ? args : null };
  } catch (error) {
    return { status: 'failed', call, error: messageOf(error) };
  }
}
