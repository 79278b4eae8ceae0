import type { Log, LogEvent, NonEmpty } from '../../src/index.js';

/** A log in memory. It holds what a reader of its file would see. */
export class ArrayLog implements Log {
  readonly events: LogEvent[] = [];
  #appends = 0;

  /** `failsAt`: which of the appends fail, counted from 1. */
  constructor(readonly failsAt: number[] = []) {}

  append(events: NonEmpty<LogEvent>): Promise<void> {
    this.#appends += 1;
    if (this.failsAt.includes(this.#appends)) return Promise.reject(new Error('the disk is full'));
    // Through JSON, so that nothing can change what has been written.
    this.events.push(...(JSON.parse(JSON.stringify(events)) as LogEvent[]));
    return Promise.resolve();
  }

  of<Kind extends LogEvent['event']>(event: Kind): readonly Extract<LogEvent, { event: Kind }>[] {
    return this.events.filter((one): one is Extract<LogEvent, { event: Kind }> => one.event === event);
  }

  /** One word for each event: `decision`, `approval`, `outcome`. */
  get story(): readonly string[] {
    return this.events.map(({ event }) => event);
  }
}
