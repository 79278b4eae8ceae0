import type { Log, LogEvent } from '@ambit/core';

/** A log that tells what it has recorded, once it is durable. */
export function observedLog(log: Log, onRecorded: (event: LogEvent) => void): Log {
  return {
    async append(events) {
      await log.append(events);
      for (const event of events) onRecorded(event);
    },
  };
}
