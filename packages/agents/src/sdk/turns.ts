import type { ClientSession } from '@ambit/runtime';

/** What is done in a session. `settled`: only the disk is waited for, and the next one can begin. */
export type Work<T> = (session: ClientSession, settled: () => void) => Promise<T>;

interface Opened {
  readonly session: ClientSession;
  /** How much work is done in it. */
  users: number;
  isWhole: boolean;
  closing: Promise<void> | null;
  /** Told when it is closed. */
  gone: () => void;
}

/** Work in one session, piece after piece. A session that `stays` is kept open, and pieces that wait for the disk wait together. */
export class Turns {
  readonly #open: () => Promise<ClientSession>;
  readonly #stays: boolean;
  #opened: Opened | null = null;
  #last: Promise<unknown> = Promise.resolve();
  /** Settles when all work so far has ended. */
  #all: Promise<unknown> = Promise.resolve();

  constructor(open: () => Promise<ClientSession>, stays: boolean) {
    this.#open = open;
    this.#stays = stays;
  }

  take<T>(work: Work<T>): Promise<T> {
    const { promise: isSettled, resolve } = deferred();
    const result = this.#last.then(() => this.#inSession(work, resolve));
    const ended = result.catch(() => undefined);
    // Another process may be next in a session that does not stay: it is closed first.
    this.#last = this.#stays ? Promise.race([isSettled, ended]) : ended;
    this.#all = Promise.all([this.#all, ended]);
    return result;
  }

  /** After all work so far. */
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
      // The last work in it closes it.
      const { promise: isGone, resolve: gone } = deferred();
      before.gone = gone;
      if (before.users === 0) await this.#close(before);
      else await isGone;
    }
    this.#opened = { session: await this.#open(), users: 0, isWhole: true, closing: null, gone() {} };
    return this.#opened;
  }

  /** A question is answered in the next opening. What went wrong may have left anything behind. */
  #isUsable({ isWhole, session, closing }: Opened): boolean {
    return this.#stays && isWhole && closing === null && !session.isSpent;
  }

  #close(opened: Opened): Promise<void> {
    opened.closing ??= opened.session.close().finally(() => {
      if (this.#opened === opened) this.#opened = null;
      opened.gone();
    });
    return opened.closing;
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
