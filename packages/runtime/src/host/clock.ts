import { randomBytes } from 'node:crypto';
import type { Clock } from '@ambit/core';

export const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, signal) =>
    new Promise((done) => {
      if (signal.aborted) return done();
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        done();
      });
    }),
};

/** Sorts by time, and cannot be guessed. */
export function newId(): string {
  return `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
}
