import type { Stats } from 'node:fs';
import type { Contained } from './read-contained.js';
import { isUnchanged } from './write-contained.js';

type Look = Pick<Contained, 'sha256' | 'stat'>;

/** The files that the model has seen, so it does not overwrite changes by others. */
export class Seen {
  /** By real path; the last checked one is last. */
  readonly #looks = new Map<string, Look>();

  note(real: string, { sha256, stat }: Look): void {
    this.#looks.delete(real);
    this.#looks.set(real, { sha256, stat });
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > most && oldest !== undefined) this.#looks.delete(oldest);
  }

  /** The model wrote it, or it was removed. */
  forget(real: string): void {
    this.#looks.delete(real);
  }

  /** Whether a file differs from what the model has seen, by content if known, otherwise by metadata. */
  isOther(real: string, now: { readonly stat: Stats; readonly sha256?: string }): boolean {
    const look = this.#looks.get(real);
    if (look === undefined || isUnchanged(look.stat, now.stat)) return false;
    return now.sha256 !== look.sha256;
  }
}

/** Files that are remembered. */
const most = 2000;
