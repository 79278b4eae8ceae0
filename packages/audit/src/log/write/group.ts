import type { Line } from '../line/line.js';
import type { Rotation } from './rotation.js';

/** Lines that one sync makes durable; as bytes, because waiting strings cost garbage collections. */
export class Group {
  /** Whether the end of a run is in it. */
  isEnd = false;
  /** In bytes. */
  length = 0;
  readonly hashes: string[] = [];
  /** Settles for all of its appends. */
  readonly done: Promise<void>;
  resolve!: () => void;
  reject!: (error: Error) => void;
  readonly #full: Buffer[] = [];
  #last = Buffer.alloc(0);
  #used = 0;

  constructor(
    readonly rotation: Rotation | null,
    /** Whether its first line begins or continues a signed run. */
    readonly beginsRun: boolean,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  add({ text, length, hash }: Line): void {
    if (this.#used + length > this.#last.length) {
      if (this.#used > 0) this.#full.push(this.#last.subarray(0, this.#used));
      this.#last = Buffer.allocUnsafe(Math.max(length, Math.min(this.#last.length * 4, largest)));
      this.#used = 0;
    }
    // As many characters as bytes: each is one.
    this.#used += this.#last.write(text, this.#used, text.length === length - 1 ? 'latin1' : 'utf8');
    this.#used = this.#last.writeUInt8(10, this.#used);
    this.hashes.push(hash);
    this.length += length;
  }

  /** Whole lines in each. */
  parts(): readonly Buffer[] {
    return [...this.#full, this.#last.subarray(0, this.#used)];
  }
}

/** Bytes. Larger blocks make V8 collect its whole heap often, because they count as garbage outside of it. */
const largest = 1 << 16;
