import type { Head } from '../log/line/head.js';
import type { LogEntry } from '../log/line/line.js';
import { damageOf } from '../log/line/parse-line.js';
import { type Before, closingOf, openingOf } from '../log/line/segment-line.js';
import type { Damage } from './verification.js';

/** A line with its place in the chain. */
export interface Link {
  readonly head: Head;
  readonly leaf: string;
  /** Only for version 1, `run` and `segment`. */
  readonly entry: LogEntry | null;
}

interface LogBefore {
  /** The number of entries before a line, in all segments. */
  readonly size: number;
  readonly last: Link | null;
}

/** Holds the segments of a log to their order. */
export class SegmentOrder {
  /** The next segment that the last line names. */
  next: string | null = null;
  readonly #beginnings = new Set<string>();
  #before: string;
  #number = 1;

  constructor(private file: string) {
    this.#before = file;
  }

  begin(file: string): void {
    this.#before = this.file;
    this.file = file;
    this.#number += 1;
    this.next = null;
  }

  accept(link: Link, log: LogBefore): Damage | null {
    const { head, entry } = link;
    if (this.next !== null) return damageOf('SEGMENT_MISPLACED', 'the segment has ended before this entry');
    if (head.seq === 0) {
      const damage = this.#opened(link, log);
      if (damage !== null) return damage;
    } else if (openingOf(entry) !== null)
      return damageOf('SEGMENT_MISPLACED', 'a segment begins within another');
    const closing = closingOf(entry);
    if (closing === null) return null;
    if (closing.number !== this.#number) return this.#other('another segment ends here', closing.number);
    this.next = closing.next;
    return null;
  }

  #opened({ head, entry, leaf }: Link, { size, last }: LogBefore): Damage | null {
    const opening = openingOf(entry);
    if (this.#beginnings.has(leaf))
      return damageOf('SEGMENT_DOUBLED', 'this segment was in another place before');
    this.#beginnings.add(leaf);
    if (opening === null) return this.#number === 1 ? null : noOpening;
    if (opening.number !== this.#number) return this.#other('another segment belongs here', opening.number);
    const expected = { file: this.#before, seq: last?.head.seq ?? 0, hash: last?.leaf ?? '', size };
    return head.run === last?.head.run && wordsOf(opening.before) === wordsOf(expected)
      ? null
      : damageOf('SEGMENT_MISMATCH', 'the segment does not continue the one before it', {
          expected: wordsOf(expected),
          found: wordsOf(opening.before),
        });
  }

  #other(message: string, found: number): Damage {
    return damageOf('SEGMENT_ORDER', message, {
      expected: `segment ${this.#number}`,
      found: `segment ${found}`,
    });
  }
}

const noOpening = damageOf('SEGMENT_OPENING', 'the file does not begin as a segment of this log');

function wordsOf({ file, seq, hash, size }: Before): string {
  return `${file}, entry ${seq}, ${hash}, ${size} in all`;
}
