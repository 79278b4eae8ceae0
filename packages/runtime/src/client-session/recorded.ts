import { type LogEvent, mayChange } from '@ambit/core';

/** The records of a session that later calls need. */
export class Recorded {
  readonly #calls = new Set<string>();
  /** The events of calls without an outcome, in the order of their first events. */
  readonly #open = new Map<string, LogEvent[]>();
  /** Decision times of calls that would change something and wait for an answer, by call. */
  readonly #asked = new Map<string, number>();
  #changed = Number.NEGATIVE_INFINITY;
  /** The latest time of an event: the clock may be set back. */
  #latest = Number.NEGATIVE_INFINITY;
  /** Callbacks for calls that are decided without a question, by call. */
  readonly #settling = new Map<string, () => void>();

  constructor(events: readonly LogEvent[]) {
    this.take(events);
  }

  take(events: readonly LogEvent[]): void {
    for (const event of events) {
      this.#latest = Math.max(this.#latest, event.now);
      if (!('call' in event)) continue;
      this.#calls.add(event.call);
      if (event.event === 'outcome') this.#open.delete(event.call);
      else this.#open.set(event.call, [...(this.#open.get(event.call) ?? []), event]);
      this.#note(event);
    }
  }

  /** A waiting call runs once it is approved, or when the client reports that it ran. */
  #note(event: Extract<LogEvent, { readonly call: string }>): void {
    if (event.event === 'decision') {
      const told = this.#settling.get(event.call);
      this.#settling.delete(event.call);
      if (event.decision === 'pre_approved' || event.decision === 'blocked') told?.();
      const isOpen = event.decision === 'pre_approved' || event.decision === 'needs_approval';
      if (!isOpen || !event.capabilities.some(mayChange)) return;
      if (event.decision === 'needs_approval') this.#asked.set(event.call, this.#latest);
      else this.#changed = this.#latest;
    } else if (event.event === 'outcome') {
      const isNew = this.#asked.delete(event.call) && event.outcome !== 'refused';
      if (isNew) this.#changed = this.#latest;
    } else if (event.event === 'approval' && event.approved && this.#asked.has(event.call))
      this.#changed = this.#latest;
  }

  /** Whether an event of a call was recorded at this time or later. */
  hasSince(time: number): boolean {
    return this.#latest >= time;
  }

  /** Calls back once when the call is decided without a question. */
  onSettled(call: string, told: () => void): void {
    this.#settling.set(call, told);
  }

  /** Whether a call with this id was ever recorded. */
  has(call: string): boolean {
    return this.#calls.has(call);
  }

  /** The calls without an outcome. */
  get open(): ReadonlyMap<string, readonly LogEvent[]> {
    return this.#open;
  }

  /** How the session may have changed a file or run an unknown program since; null if it did not. */
  changeSince(time: number, waitsHere: (call: string) => boolean): string | null {
    if (this.#changed >= time) return 'the session changed something since it was asked';
    const mayHaveRun = [...this.#asked].some(([call, asked]) => asked >= time && !waitsHere(call));
    return mayHaveRun ? 'since it was asked, a call was interrupted or is not over, and may have run' : null;
  }
}
