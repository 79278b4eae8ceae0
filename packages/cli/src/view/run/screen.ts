import type { OutputStream } from '../../host.js';
import { rowsOf } from './pinned.js';
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

  /**
   * The same where somebody else has written below the lines, and the cursor is at the end of that: all of it stays where it
   * is. Does nothing where the two do not have room on the screen.
   */
  drawAbove(lines: readonly Line[], pinned: readonly string[]): void {
    const text = lines.map((line) => `${line.text}${eraseRest}\n`).join('');
    const below = this.#rowsOf(pinned);
    const isTooHigh = Math.max(this.#occupied, lines.length) + below > this.rows;
    if (isTooHigh || text === this.#written) return;
    const up = this.#occupied + below - 1;
    const start = up === 0 ? '\r' : `\r\u001b[${up}A`;
    const rest = pinned.join(`${eraseRest}\n`);
    this.stream.write(`${together}${wrapsNot}${start}${text}${wraps}${rest}${eraseBelow}${shownNow}`);
    this.#lines = lines;
    this.#written = text;
  }

  /** How many lines there is room for above these. */
  roomAbove(pinned: readonly string[]): number {
    return this.rows - this.#rowsOf(pinned);
  }

  #rowsOf(pinned: readonly string[]): number {
    return pinned.reduce((sum, line) => sum + rowsOf(line, this.#columns), 0);
  }

  get #columns(): number {
    return Math.max(1, this.stream.columns ?? 80);
  }

  /** How many lines of the terminal the lines are now: one that became narrower has broken long ones. */
  get #occupied(): number {
    return this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.columns / this.#columns)), 0);
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

  /** To the first of the lines. */
  #back(): string {
    // Further up there is nothing that the cursor could go to.
    const up = Math.min(this.#occupied, this.rows - 1);
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
