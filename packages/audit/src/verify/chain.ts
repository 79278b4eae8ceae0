import { isUtf8 } from 'node:buffer';
import { orNull } from '@ambit/core';
import { type Head, headOf, isWholeAfter, readHead } from '../log/line/head.js';
import {
  type ChainEnd,
  firstPrev,
  hashOf,
  hashOfLine,
  type LogEntry,
  maxLineBytes,
} from '../log/line/line.js';
import { damageOf, parseLine } from '../log/line/parse-line.js';
import { Permits } from './permits.js';
import { type Link, SegmentOrder } from './segment-order.js';
import type { Damage, DamageCode } from './verification.js';

type Taken = ({ readonly ok: false } & Damage) | ({ readonly ok: true } & Link);

/** The lines of a log, held to their order. */
export class Chain {
  end = start;
  size = 0;
  last: Link | null = null;
  /** Ignores segment lines. */
  ended = false;
  readonly runs = new Set<string>();
  /** The first entry with an earlier time than the one before it. */
  clockBack: number | null = null;
  readonly segments: SegmentOrder;
  readonly #permits = new Permits();

  constructor(file: string) {
    this.segments = new SegmentOrder(file);
  }

  accept(line: Buffer, isText = isUtf8(line)): Taken {
    const read = readLink(line, isText, this.end.prev);
    if (!read.ok) return read;
    const { head, entry } = read;
    const damage =
      linkDamage(head, this) ??
      entryDamage(entry) ??
      this.segments.accept(read, this) ??
      this.#permits.accept(head);
    if (damage !== null) return { ok: false, ...damage, seq: head.seq };
    this.#take(read, head.v === 1 ? hashOfLine(line) : read.leaf);
    return read;
  }

  beginSegment(file: string): void {
    this.segments.begin(file);
    this.end = start;
  }

  #take(link: Link, prev: string): void {
    const { seq, run, time, event } = link.head;
    const last = this.last?.head;
    if (this.clockBack === null && last !== undefined && isEarlier(time, last.time))
      this.clockBack = this.size;
    if (last?.run !== run) this.runs.add(run);
    this.last = link;
    this.end = { seq: seq + 1, prev };
    this.size += 1;
    if (event !== 'segment') this.ended = event === 'end';
  }
}

const start: ChainEnd = { seq: 0, prev: firstPrev };

/** Equal lengths sort by time. */
function isEarlier(time: string, before: string): boolean {
  return time.length === 24 && before.length === 24 ? time < before : Date.parse(time) < Date.parse(before);
}

function readLink(line: Buffer, isText: boolean, prev: string): Taken {
  if (line.length >= maxLineBytes) return { ok: false, ...tooLong };
  const read = isText ? readHead(line, prev) : null;
  const isHead = read !== null && isWholeAfter(line, read);
  if (isHead && !wholeEvents.includes(read.head.event))
    return { ok: true, head: read.head, leaf: hashOfLine(line), entry: null };
  const parsed = parseLine(line, read);
  if (!parsed.ok) return parsed;
  const { entry } = parsed;
  return isHead
    ? { ok: true, head: read.head, leaf: hashOfLine(line), entry }
    : { ok: true, head: headOf(entry), leaf: entry.hash as string, entry };
}

const wholeEvents: readonly string[] = ['run', 'segment'];

function linkDamage(
  head: Head,
  { end, last }: { readonly end: ChainEnd; readonly last: Link | null },
): Damage | null {
  // Version 1 links to the `hash` of the line before.
  const prev = head.v === 1 && last?.head.v === 1 && end.seq > 0 ? last.leaf : end.prev;
  const run = last?.head.run ?? head.run;
  // Nearly always.
  if (head.v === 2 && head.seq === end.seq && head.prev === prev && head.run === run) return null;
  const differs = (code: DamageCode, message: string, [expected, found]: readonly [string, string]) =>
    expected === found ? null : damageOf(code, message, { expected, found });
  return (
    (head.v === 1 && last?.head.v === 2
      ? differs('WRONG_VERSION', 'version 1 follows version 2', ['2', '1'])
      : null) ??
    differs('SEQ_GAP', 'the number of the entry is not the next one', [String(end.seq), String(head.seq)]) ??
    // A run begins only with its `run` event.
    (head.event === 'run' || end.seq === 0
      ? null
      : differs('RUN_CHANGED', 'the entry belongs to another run', [run, head.run])) ??
    differs(
      end.seq === 0 ? 'FIRST_PREV' : 'PREV_MISMATCH',
      end.seq === 0
        ? 'the first entry does not begin a chain'
        : 'the entry does not follow the one before it, or that one was changed',
      [prev, head.prev],
    )
  );
}

/** Of version 1, which holds its own hash. */
export function entryDamage(found: LogEntry | null): Damage | null {
  if (found === null || found.v === 2) return null;
  const { hash, ...entry } = found;
  // Null for a number out of range, or a lone surrogate: a log never writes them.
  const expected = orNull(() => hashOf(entry));
  if (expected === hash) return null;
  return damageOf('HASH_MISMATCH', 'the entry is not the one that was hashed', {
    expected,
    found: hash as string,
  });
}

export const tooLong = damageOf('LINE_TOO_LONG', 'the line is too long', {
  expected: `at most ${maxLineBytes} bytes`,
});
