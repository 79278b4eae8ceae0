import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '@ambit/core';
import type { OutputStream } from '../../host.js';
import type { Line } from './tree-lines.js';

/** Lines at the end of a terminal that are overwritten in place. */
export class Screen {
  #lines: readonly Line[] = [];
  #written = '';

  constructor(readonly stream: OutputStream) {}

  get rows(): number {
    return this.stream.rows ?? 24;
  }

  /** `above` stays permanently, and is escaped. */
  draw(lines: readonly Line[], above: readonly string[]): void {
    const text = lines.map((line) => `${line.text}${eraseRest}\n`).join('');
    const isSame = text === this.#written && above.length === 0;
    if (isSame) return;
    const kept = above.map((line) => `${wraps}${line}${eraseRest}\n${wrapsNot}`).join('');
    this.stream.write(`${together}${wrapsNot}${this.#back()}${kept}${text}${eraseBelow}${wraps}${shownNow}`);
    this.#lines = lines;
    this.#written = text;
  }

  /** Draws above text of another writer, if both fit on the screen. */
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

  roomAbove(pinned: readonly string[]): number {
    return this.rows - this.#rowsOf(pinned);
  }

  #rowsOf(pinned: readonly string[]): number {
    return pinned.reduce((sum, line) => sum + rowsOf(line, this.#columns), 0);
  }

  get #columns(): number {
    return Math.max(1, this.stream.columns ?? 80);
  }

  /** Terminal lines: a narrower terminal breaks long lines. */
  get #occupied(): number {
    return this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.columns / this.#columns)), 0);
  }

  /** The terminal was resized: earlier lines may have moved, so they are not compared. */
  resized(): void {
    this.#written = '';
  }

  letGo(): void {
    this.#lines = [];
    this.#written = '';
  }

  #back(): string {
    // The cursor cannot move above the screen.
    const up = Math.min(this.#occupied, this.rows - 1);
    return up === 0 ? '\r' : `\r\u001b[${up}A`;
  }
}

const eraseRest = '\u001b[K';
const eraseBelow = '\u001b[J';
/** Terminals that know these marks draw the content at once; others ignore them. */
const together = '\u001b[?2026h';
const shownNow = '\u001b[?2026l';
/** A line stays one line, whatever width the terminal computes. */
const wrapsNot = '\u001b[?7l';
const wraps = '\u001b[?7h';

/** Colours, and the mode for pasted text. */
const harmless = /^\[(?:[0-9;]*m|\?2004h)/;

/** Text of another writer below a view: a question. */
export class Pinned {
  #text = '';
  #isSteered = false;

  add(text: string): void {
    this.#text += text;
    this.#isSteered ||= isSteering(text);
  }

  /** Null if writing the lines again would change them. */
  lines(): readonly string[] | null {
    return this.#isSteered ? null : this.#text.split('\n');
  }

  leave(): void {
    this.#isSteered = true;
  }
}

/** The number of terminal lines of a line that it wraps. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / columns));
}

export function overheard(stream: OutputStream, onText: (text: string) => void): OutputStream {
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    onText(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return (stream.write as (...all: unknown[]) => boolean).call(stream, chunk, ...rest);
  };
  return new Proxy(stream, {
    get(target, key) {
      if (key === 'write') return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Whether a text does more than print lines. */
function isSteering(text: string): boolean {
  const [first = '', ...others] = text.replaceAll('\n', '').split('\u001b');
  return [first, ...others.map((part) => (harmless.test(part) ? part.replace(harmless, '') : '\u001b'))].some(
    (part) => /\p{Cc}/u.test(part),
  );
}
