/** Time, from outside: core has no clock. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after so many milliseconds, or early when the signal aborts. */
  after(milliseconds: number, signal: AbortSignal): Promise<void>;
}
