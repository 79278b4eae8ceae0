import type { Head } from '../log/line/head.js';
import type { LogEntry } from '../log/line/line.js';
import { type Before, closingOf, openingOf } from '../log/line/segment-line.js';
import { type Damage, damageOf } from './verification.js';

/** A line with its place in the chain. */
export interface Link {
  readonly head: Head;
  readonly leaf: string;
  /** Only for version 1, `run` and `segment`. */
  readonly entry: LogEntry | null;
}

export interface LastLine extends Pick<Head, 'v' | 'seq' | 'run' | 'time'> {
  /** The line before the next one. */
  readonly leaf: string;
}

/** Checks the order of the segments of a log. */
interface SegmentOrder {
  /** The effect of an entry on the order; `size` is the number of entries before it. */
  accept(link: Link, log: { readonly size: number; readonly last: LastLine | null }): Damage | null;
  begin(file: string): void;
  next(): string | null;
}

export function createSegmentOrder(first: string): SegmentOrder {
  const beginnings = new Set<string>();
  let file = first;
  let before = first;
  let number = 1;
  let next: string | null = null;
  const opened = (
    { head, entry, leaf }: Link,
    { size, last }: { readonly size: number; readonly last: LastLine | null },
  ) => {
    const opening = openingOf(entry);
    if (beginnings.has(leaf)) return damageOf('SEGMENT_DOUBLED', 'this segment was in another place before');
    beginnings.add(leaf);
    if (number === 1 && opening === null) return null;
    if (opening === null)
      return damageOf('SEGMENT_OPENING', 'the file does not begin as a segment of this log');
    if (opening.number !== number)
      return damageOf('SEGMENT_ORDER', 'another segment belongs here', {
        expected: `segment ${number}`,
        found: `segment ${opening.number}`,
      });
    const expected = { file: before, seq: last?.seq ?? 0, hash: last?.leaf ?? '', size };
    return head.run === last?.run && wordsOf(opening.before) === wordsOf(expected)
      ? null
      : damageOf('SEGMENT_MISMATCH', 'the segment does not continue the one before it', {
          expected: wordsOf(expected),
          found: wordsOf(opening.before),
        });
  };
  return {
    accept: (link, log) => {
      const { head, entry } = link;
      if (next !== null) return damageOf('SEGMENT_MISPLACED', 'the segment has ended before this entry');
      if (head.seq === 0) {
        const damage = opened(link, log);
        if (damage !== null) return damage;
      } else if (openingOf(entry) !== null)
        return damageOf('SEGMENT_MISPLACED', 'a segment begins within another');
      const closing = closingOf(entry);
      if (closing === null) return null;
      if (closing.number !== number)
        return damageOf('SEGMENT_ORDER', 'another segment ends here', {
          expected: `segment ${number}`,
          found: `segment ${closing.number}`,
        });
      next = closing.next;
      return null;
    },
    begin: (name) => {
      before = file;
      file = name;
      number += 1;
      next = null;
    },
    next: () => next,
  };
}

function wordsOf({ file, seq, hash, size }: Before): string {
  return `${file}, entry ${seq}, ${hash}, ${size} in all`;
}
