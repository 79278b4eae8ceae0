import { randomBytes } from 'node:crypto';
import type { Clock } from '@ambit/core';

export const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, signal) =>
    new Promise((done) => {
      if (signal.aborted) return done();
      const timer = setTimeout(done, milliseconds);
      const stop = () => {
        clearTimeout(timer);
        done();
      };
      // Once: Node keeps a composite signal that has a listener, even after it aborted.
      signal.addEventListener('abort', stop, { once: true });
    }),
};

/** Sorts by time, and cannot be guessed. */
export function newId(): string {
  return `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
}
