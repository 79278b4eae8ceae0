import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@ambit/core';

export const clock: Clock = {
  now: () => Date.now(),
  // It leaves no listener: Node keeps a composite signal that has one, even after it aborted.
  after: (milliseconds, signal) =>
    setTimeout<void>(milliseconds, undefined, { signal }).catch(() => undefined),
};

/** Sorts by time, and cannot be guessed. */
export function newId(): string {
  return `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
}
