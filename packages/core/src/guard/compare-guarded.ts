import type { CallDecision } from '../decide/decide.js';
import { isNonEmpty } from '../words/decision.js';
import { type Entrance, type Halt, haltOf } from './call-in-progress.js';
import type { LogEvent } from './log.js';
import { record } from './record.js';
import { changesInWords, type GuardChange, mayDoMore } from './watch.js';

/**
 * Compares what guards the run before a permit. On a change it records it, stops the run and returns the
 * refusal; otherwise null.
 */
export async function compareGuarded(entrance: Entrance): Promise<Halt | null> {
  const { run } = entrance.authority;
  const changes = run.options.watch?.compare() ?? [];
  const events = guardEvents(changes, { now: run.options.clock.now() });
  if (events.length === 0) return null;
  await record(entrance, events);
  stopFor(entrance, changes);
  return haltOf(entrance);
}

/** Watches an execution that may exceed its description. Call the returned function when it has ended. */
export function watchExecution(entrance: Entrance, { capabilities }: CallDecision): () => Watched {
  const { watch, clock } = entrance.authority.run.options;
  const end = mayDoMore(capabilities) ? watch?.around() : undefined;
  return () => {
    const changes = end?.() ?? [];
    return {
      events: guardEvents(changes, { now: clock.now(), after: entrance.call }),
      stop: () => stopFor(entrance, changes),
    };
  };
}

/** Guarded files that an execution changed. */
export interface Watched {
  /** To be recorded with its outcome. */
  readonly events: readonly LogEvent[];
  /** Stops the run if there is a change. */
  readonly stop: () => void;
}

function guardEvents(
  changes: readonly GuardChange[],
  at: { readonly now: number; readonly after?: string },
): readonly LogEvent[] {
  return isNonEmpty(changes) ? [{ ...at, event: 'guard_changed', changes }] : [];
}

function stopFor({ authority: { run } }: Entrance, changes: readonly GuardChange[]): void {
  if (isNonEmpty(changes)) run.stop(`what guards it changed: ${changesInWords(changes)}`);
}
