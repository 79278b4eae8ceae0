import type { Log } from '@ambit/core';
import type { Journal } from './journal.js';

/**
 * A log whose events are kept first, as they are before masking, in the same order. Whatever is in the log is kept, so that what
 * is kept can be written into the log where the process was killed in between.
 */
export function keptLog(log: Log, journal: Journal): Log {
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(events) {
      const keeping = last.then(() => journal.append({ step: 'events', events }));
      last = keeping.catch(() => undefined);
      return keeping.then(() => log.append(events));
    },
  };
}
