import type { CallDecision } from '../decide/judgement.js';
import type { Refusal } from '../tool/outcome.js';
import { isNonEmpty } from '../words/decision.js';
import type { IncomingCall } from './authority.js';
import type { LogEvent } from './log.js';
import type { Run } from './run.js';
import { changesInWords, type GuardChange, mayDoMore } from './watch.js';

/** Before a permit. Records a change, stops the run and returns the refusal; otherwise null. */
export async function compareGuarded({ authority: { run }, signal }: IncomingCall): Promise<Refusal | null> {
  const changes = run.options.watch?.compare() ?? [];
  const events = guardEvents(changes, { now: run.options.clock.now() });
  if (events.length === 0) return null;
  await run.record(events);
  stopFor(run, changes);
  return run.halted(signal);
}

/** The returned function ends the watch. */
export function watchExecution(
  { id, authority: { run } }: IncomingCall,
  { capabilities }: CallDecision,
): () => Watched {
  const { watch, clock } = run.options;
  if (watch === undefined || !mayDoMore(capabilities)) return unwatched;
  const end = watch.around();
  return () => {
    const changes = end();
    return {
      events: guardEvents(changes, { now: clock.now(), after: id }),
      stop: () => stopFor(run, changes),
    };
  };
}

const unwatched = (): Watched => nothing;
const nothing: Watched = { events: [], stop: () => undefined };

export interface Watched {
  readonly events: readonly LogEvent[];
  readonly stop: () => void;
}

/** To be recorded with its outcome. */
function guardEvents(
  changes: readonly GuardChange[],
  at: { readonly now: number; readonly after?: string },
): readonly LogEvent[] {
  return isNonEmpty(changes) ? [{ ...at, event: 'guard_changed', changes }] : [];
}

function stopFor(run: Run, changes: readonly GuardChange[]): void {
  if (isNonEmpty(changes))
    run.stop(
      `a guarded file changed: ${changesInWords(changes)}; look at it, then begin a new run or session`,
    );
}
