import { type CallOutcome, interruptedCall, type LogEvent, type Run } from '@ambit/core';
import { outcomeIn, type PastCall } from './past.js';

/**
 * What came of a call before the run was interrupted; null where that is not known, or it has not begun. What a tool has done and the log
 * does not say yet is recorded now, and not done again.
 */
export async function settledCall(id: string, past: PastCall, run: Run): Promise<CallOutcome | null> {
  const recorded = outcomeIn(past);
  const { came } = past;
  const { edited } = interruptedCall(past.events, false);
  const told = edited === null ? {} : { edited };
  if (recorded?.outcome === 'refused') {
    const { code, reason, came_back } = recorded;
    const back = came_back === undefined ? {} : { came_back };
    const refusal = { code, reason, rule: null, instead: null, ...back };
    return { status: 'refused', call: id, refusal, ...told };
  }
  if (recorded === null && came !== null) {
    const base = { now: run.options.clock.now(), event: 'outcome', call: id } as const;
    const event: LogEvent =
      'result' in came
        ? { ...base, outcome: 'completed' }
        : { ...base, outcome: 'failed', error: came.error };
    await run.options.log.append([event]);
  }
  if (came === null)
    return recorded === null ? null : { status: 'failed', call: id, error: 'its result is lost', ...told };
  return 'result' in came
    ? { status: 'completed', call: id, result: came.result, edited }
    : { status: 'failed', call: id, error: came.error, ...told };
}
