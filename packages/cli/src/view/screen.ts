import type { OutputStream } from '../host.js';
import type { Line } from './tree-lines.js';

/**
 * Lines at the end of a terminal that are written over in place. The cursor rests below them. What is written elsewhere
 * meanwhile goes below, once they were let go.
 */
export class Screen {
  #lines: readonly Line[] = [];
  #written = '';

  constructor(readonly stream: OutputStream) {}

  get rows(): number {
    return this.stream.rows ?? 24;
  }

  /** Puts these lines in the place of those that are there; `above` stays for good, and is escaped. */
  draw(lines: readonly Line[], above: readonly string[] = []): void {
    const text = lines.map((line) => `${line.text}${eraseRest}\n`).join('');
    const isSame = text === this.#written && above.length === 0;
    if (isSame) return;
    const kept = above.map((line) => `${wraps}${line}${eraseRest}\n${wrapsNot}`).join('');
    this.stream.write(`${together}${wrapsNot}${this.#back()}${kept}${text}${eraseBelow}${wraps}${shownNow}`);
    this.#lines = lines;
    this.#written = text;
  }

  /** The terminal is of another size: what was written may lie otherwise, so it is not compared with any more. */
  resized(): void {
    this.#written = '';
  }

  /** What is there stays for good. */
  letGo(): void {
    this.#lines = [];
    this.#written = '';
  }

  /** To the first of the lines, as they lie now: a terminal that became narrower has broken long ones. */
  #back(): string {
    const columns = Math.max(1, this.stream.columns ?? 80);
    const occupied = this.#lines.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(line.columns / columns)),
      0,
    );
    // Further up there is nothing that the cursor could go to.
    const up = Math.min(occupied, this.rows - 1);
    return up === 0 ? '\r' : `\r\u001b[${up}A`;
  }
}

const eraseRest = '\u001b[K';
const eraseBelow = '\u001b[J';
/** Terminals that know these marks show what is between them at once; the others pass over them. */
const together = '\u001b[?2026h';
const shownNow = '\u001b[?2026l';
/** Whatever a terminal takes a text's width for, a line stays one. */
const wrapsNot = '\u001b[?7l';
const wraps = '\u001b[?7h';
