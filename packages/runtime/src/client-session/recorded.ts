import { type DecisionEvent, isWithin, type LogEvent } from '@ambit/core';

const changing = ['fs.write', 'fs.delete', 'proc.exec.opaque'];

/** What a session has recorded, as far as its next calls need it. */
export class Recorded {
  readonly #calls = new Set<string>();
  /** The events of calls without an outcome, in the order of their first ones. */
  readonly #open = new Map<string, LogEvent[]>();
  #changed = Number.NEGATIVE_INFINITY;

  constructor(events: readonly LogEvent[]) {
    this.take(events);
  }

  take(events: readonly LogEvent[]): void {
    for (const event of events) {
      if (!('call' in event)) continue;
      this.#calls.add(event.call);
      if (event.event === 'outcome') this.#open.delete(event.call);
      else this.#open.set(event.call, [...(this.#open.get(event.call) ?? []), event]);
      if (event.event === 'decision' && mayChange(event)) this.#changed = event.now;
    }
  }

  /** Whether a call with this id was ever recorded. */
  has(call: string): boolean {
    return this.#calls.has(call);
  }

  /** The calls without an outcome. */
  get open(): ReadonlyMap<string, readonly LogEvent[]> {
    return this.#open;
  }

  /** Whether the session was permitted, at this time or later, to change a file or to run something unknown. */
  hasChangedSince(time: number): boolean {
    return this.#changed >= time;
  }
}

function mayChange(event: DecisionEvent): boolean {
  return (
    event.decision === 'pre_approved' &&
    event.capabilities.some(({ name }) => changing.some((each) => isWithin(name, each)))
  );
}
