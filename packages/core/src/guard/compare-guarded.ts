import type { CallDecision } from '../decide/decide.js';
import { isNonEmpty } from '../words/decision.js';
import { type Entrance, type Halt, haltOf } from './call-in-progress.js';
import type { LogEvent } from './log.js';
import { record } from './record.js';
import { changesInWords, type GuardChange, mayDoMore } from './watch.js';

/** Compares what guards the run before a permit. Records a change, stops the run, and says so; null where there is none. */
export async function compareGuarded(entrance: Entrance): Promise<Halt | null> {
  const { run } = entrance.authority;
  const changes = run.options.watch?.compare() ?? [];
  const events = guardEvents(changes, { now: run.options.clock.now() });
  if (events.length === 0) return null;
  await record(entrance, events);
  stopFor(entrance, changes);
  return haltOf(entrance);
}

/** Begins to watch one execution, where it may do more than it says. The function given is called when it has ended. */
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

/** What an execution changed of what guards the run. */
export interface Watched {
  /** To be recorded with its outcome. */
  readonly events: readonly LogEvent[];
  /** Stops the run where there is a change. */
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
