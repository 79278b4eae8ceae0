import { type Interrupted, interruptedCall, type Log, type NonEmpty, withoutHistory } from '@ambit/core';
import type { Step, Store } from '../store/store.js';
import { outcomeIn, type Past, pastOf } from './past.js';

/** The steps of one run: those from before it was interrupted, and where new ones go. */
export interface Journal {
  readonly past: Past;
  /** Durable when it resolves. */
  readonly append: (...steps: NonEmpty<Step>) => Promise<void>;
  /** The id of a call that starts a toolset; the same until that call has an outcome. */
  startId(place: string, toolset: string): string;
  /** Stores only the end of the run from now on. */
  close(): void;
}

/** Rejects what cannot be stored: the caller then stops the run. */
export function openJournal(store: Pick<Store, 'append'>, run: string, steps: readonly Step[]): Journal {
  const past = pastOf(steps);
  const starts = new Map<string, number>();
  let isClosed = false;
  return {
    past,
    async append(...added) {
      if (isClosed && !added.every(isEnd))
        throw new Error('the run is stored as it was, and continues when it is resumed');
      await store.append(run, added);
    },
    startId(place, toolset) {
      const name = `${place}.start-${toolset}`;
      let number = starts.get(name) ?? 0;
      while (isOver(`${name}.${number}`)) number += 1;
      starts.set(name, number + 1);
      return `${name}.${number}`;
    },
    close() {
      isClosed = true;
    },
  };

  function isOver(call: string): boolean {
    const known = past.calls.get(call);
    return known !== undefined && outcomeIn(known) !== null;
  }
}

function isEnd(step: Step): boolean {
  return step.step === 'events' && step.events.every(({ event }) => event === 'end');
}

/** A log that first stores each event, before masking. So a crash loses no event. */
export function keptLog(log: Log, journal: Journal): Log {
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(events, when) {
      const stored = events.map((event) =>
        event.event === 'decision' ? { ...withoutHistory(event), history: [] } : event,
      ) as unknown as typeof events;
      const keeping = last.then(() => journal.append({ step: 'events', events: stored }));
      last = keeping.catch(() => undefined);
      return keeping.then(() => log.append(events, when));
    },
  };
}

export function startedAs(
  journal: Journal,
  place: string,
  toolset: string,
): { readonly id: string; readonly interrupted?: Interrupted } {
  const id = journal.startId(place, toolset);
  const past = journal.past.calls.get(id);
  // The effects of a start ended with its process.
  return past === undefined ? { id } : { id, interrupted: interruptedCall(past.events, false) };
}
