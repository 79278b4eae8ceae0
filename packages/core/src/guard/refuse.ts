import { type CallOutcome, plainRefusal, type Refusal, unrecorded } from '../asking/refusal.js';
import type { Entrance, Halt } from './call-in-progress.js';
import { record, unjudgedEvent } from './record.js';

/** Records a refusal and returns it. */
export async function refuse(passage: Entrance, refusal: Refusal): Promise<CallOutcome> {
  const { call, authority } = passage;
  const { code, reason, came_back } = refusal;
  const returned = came_back === undefined ? {} : { came_back };
  if (code !== 'unrecorded') {
    const now = authority.run.options.clock.now();
    await record(passage, [{ now, event: 'outcome', call, outcome: 'refused', code, reason, ...returned }]);
  }
  return { status: 'refused', call, refusal };
}

/** Records and refuses a call that cannot be judged. */
export async function refuseUnjudged(passage: Entrance, args: unknown, halt: Halt): Promise<CallOutcome> {
  const isRecorded = await record(passage, [unjudgedEvent(passage, args, halt)]);
  return refuse(passage, isRecorded ? { ...plainRefusal(halt.code), reason: halt.why } : unrecorded);
}
