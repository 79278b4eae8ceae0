import type { Head } from '../log/line/head.js';
import type { LogEntry } from '../log/line/line.js';
import { type Before, closingOf, openingOf } from '../log/line/segment-line.js';
import type { Damage, SegmentDamageCode } from './verification.js';

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

type SegmentDamage = Omit<Damage, 'seq' | 'code'> & { readonly code: SegmentDamageCode };

interface SegmentOrder {
  /** Holds the segments of a log to their order. */
  /** The effect of an entry on the order; `size` is the number of entries before it. */
  accept(link: Link, log: { readonly size: number; readonly last: LastLine | null }): SegmentDamage | null;
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
    if (beginnings.has(leaf)) return wrong('SEGMENT_DOUBLED', 'this segment was in another place before');
    beginnings.add(leaf);
    if (number === 1 && opening === null) return null;
    if (opening === null) return wrong('SEGMENT_OPENING', 'the file does not begin as a segment of this log');
    if (opening.number !== number)
      return wrong('SEGMENT_ORDER', 'another segment belongs here', [
        `segment ${number}`,
        `segment ${opening.number}`,
      ]);
    const expected = { file: before, seq: last?.seq ?? 0, hash: last?.leaf ?? '', size };
    return head.run === last?.run && wordsOf(opening.before) === wordsOf(expected)
      ? null
      : wrong('SEGMENT_MISMATCH', 'the segment does not continue the one before it', [
          wordsOf(expected),
          wordsOf(opening.before),
        ]);
  };
  return {
    accept: (link, log) => {
      const { head, entry } = link;
      if (next !== null) return wrong('SEGMENT_MISPLACED', 'the segment has ended before this entry');
      if (head.seq === 0) {
        const damage = opened(link, log);
        if (damage !== null) return damage;
      } else if (openingOf(entry) !== null)
        return wrong('SEGMENT_MISPLACED', 'a segment begins within another');
      const closing = closingOf(entry);
      if (closing === null) return null;
      if (closing.number !== number)
        return wrong('SEGMENT_ORDER', 'another segment ends here', [
          `segment ${number}`,
          `segment ${closing.number}`,
        ]);
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

function wrong(
  code: SegmentDamageCode,
  message: string,
  [expected, found]: readonly [string | null, string | null] = [null, null],
): SegmentDamage {
  return { code, message, expected, found };
}
