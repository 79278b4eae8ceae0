import { deferred } from '@ambit/core';
import type { ClientSession } from '@ambit/runtime';

/** A step of work in a session. `settled`: the step only waits for the disk, so the next one can begin. */
export type Work<T> = (session: ClientSession, settled: () => void) => Promise<T>;

interface Opened {
  readonly session: ClientSession;
  /** The number of steps that use this session. */
  users: number;
  isWhole: boolean;
  closing: Promise<void> | null;
  /** Called when the session is closed. */
  gone: () => void;
}

/**
 * Runs work in one session, step by step. An exclusive session is kept open, and steps that wait for the
 * disk wait together.
 */
export class Turns {
  #opened: Opened | null = null;
  #last: Promise<unknown> = Promise.resolve();
  /** Settles when all work so far has ended. */
  #all: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly open: () => Promise<ClientSession>,
    private readonly isExclusive: boolean,
  ) {}

  take<T>(work: Work<T>): Promise<T> {
    const { promise: isSettled, resolve } = deferred();
    const result = this.#last.then(() => this.#inSession(work, resolve));
    const ended = result.catch(() => undefined);
    // Another process may open a session that does not stay open, so it is closed first.
    this.#last = this.isExclusive ? Promise.race([isSettled, ended]) : ended;
    // Without the results, which would be kept for ever.
    this.#all = Promise.all([this.#all, ended]).then(() => undefined);
    return result;
  }

  /** Runs after all work so far. */
  async close(): Promise<void> {
    await this.#all;
    if (this.#opened !== null) await this.#close(this.#opened);
  }

  async #inSession<T>(work: Work<T>, settled: () => void): Promise<T> {
    const opened = await this.#now();
    opened.users += 1;
    try {
      return await work(opened.session, settled);
    } catch (error) {
      opened.isWhole = false;
      throw error;
    } finally {
      opened.users -= 1;
      if (!this.#isUsable(opened) && opened.users === 0) await this.#close(opened);
    }
  }

  async #now(): Promise<Opened> {
    const before = this.#opened;
    if (before !== null && this.#isUsable(before)) return before;
    if (before !== null) {
      // The last step in the session closes it.
      const { promise: isGone, resolve: gone } = deferred();
      before.gone = gone;
      if (before.users === 0) await this.#close(before);
      else await isGone;
    }
    this.#opened = { session: await this.open(), users: 0, isWhole: true, closing: null, gone() {} };
    return this.#opened;
  }

  /** A question is answered in the next opening. A failed step may have left the session in any state. */
  #isUsable({ isWhole, session, closing }: Opened): boolean {
    return this.isExclusive && isWhole && closing === null && !session.isSpent;
  }

  #close(opened: Opened): Promise<void> {
    opened.closing ??= opened.session.close().finally(() => {
      if (this.#opened === opened) this.#opened = null;
      opened.gone();
    });
    return opened.closing;
  }
}
