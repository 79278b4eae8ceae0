import { messageOf } from '@ambit/core';
import type { SdkCalls } from './sdk-calls.js';
import type { Turns } from './turns.js';
import type { SdkCall } from './verdict.js';

/** Records the outcomes of calls in the log. */
export class Outcomes {
  /** Why no further call is permitted; null if calls are. */
  broken: string | null = null;
  /** Outcomes that are recorded before the next decision, or after the caller has continued. */
  #ended: (() => void)[] = [];
  /** Settles when every outcome is durable or has failed to become so. */
  #late: Promise<unknown> = Promise.resolve();

  constructor(
    readonly turns: Turns,
    readonly calls: SdkCalls,
    readonly isExclusive: boolean,
  ) {}

  /** Resolves when it is recorded, which may be later. */
  ended(call: SdkCall, error: string | null): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ended.length === 0) setImmediate(() => this.recordEnded());
      this.#ended.push(() => resolve(this.record(call, error)));
    });
  }

  recordEnded(): void {
    const all = this.#ended;
    this.#ended = [];
    for (const each of all) each();
  }

  /** Records an outcome. If that fails, no further call is permitted. `denied`: the user said no. */
  async record(call: SdkCall, error: string | null, denied = false): Promise<void> {
    try {
      const foreign = this.calls.asJudged(call);
      if (typeof foreign === 'string') return;
      const logId = this.calls.logIdOf(call, foreign);
      // A refused or ended call: another one with its id may be open.
      if (!denied && (logId === null || (logId === undefined && foreign.id !== null))) return;
      this.calls.close(call, foreign);
      let recorded: Promise<void> = Promise.resolve();
      const turn = this.turns.take(async (session) => {
        const judged = { ...foreign, id: logId ?? foreign.id };
        recorded = denied ? session.denied(judged) : session.ended(judged, error);
        // In an exclusive session, the next decision is written after the outcome or together with it.
        if (denied || !this.isExclusive || session.isSpent) await recorded;
      });
      this.#late = Promise.allSettled([this.#late, turn.then(() => recorded)]).then(() => undefined);
      await turn;
      await recorded;
    } catch (problem) {
      this.broken = `the outcome of a call could not be recorded: ${messageOf(problem)}`;
    }
  }

  async close(): Promise<void> {
    this.recordEnded();
    await this.#late;
    await this.turns.close();
    this.broken ??= 'the judge is closed';
  }
}
