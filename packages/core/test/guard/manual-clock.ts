import type { Clock } from '../../src/index.js';

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/** A clock that stands still until it is told how much time has passed. */
export class ManualClock implements Clock {
  #now = 1_000;
  #alarms: Alarm[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      this.#alarms.push({ at: this.#now + milliseconds, ring: resolve });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#alarms.filter(({ at }) => at <= this.#now);
    this.#alarms = this.#alarms.filter(({ at }) => at > this.#now);
    for (const { ring } of due) ring();
  }

  /** Resolves when a caller waits for this clock. */
  async waitedFor(): Promise<void> {
    while (this.#alarms.length === 0) await turn();
  }
}

/** Lets everything that is ready run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
