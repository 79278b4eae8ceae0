import { isUtf8 } from 'node:buffer';
import { type ChainEnd, firstPrev, hashOf, type LogEntry, maxLineBytes } from '../log/line/line.js';
import { parseLine } from '../log/line/parse-line.js';
import { type QuickEntry, quickEntry } from '../log/line/quick-line.js';
import { createPermits } from './permits.js';
import { createSegmentOrder } from './segment-order.js';
import type { Damage, DamageCode } from './verification.js';

/** The state of a log's lines so far. */
export interface Chain {
  /** The mistake of the next whole line, or its entry. */
  accept(bytes: Buffer): ({ readonly ok: false } & Damage) | { readonly ok: true; readonly entry: LogEntry };
  /**
   * Takes whole lines of UTF-8 text from a place on, as long as the fast reader accepts them; returns where
   * it stopped, and passes their entries to `take`.
   */
  acceptQuick(text: Buffer, from: number, take: (entry: QuickEntry) => void): number;
  /** Begins the next segment; `file` is its name. */
  beginSegment(file: string): void;
  /** The file that the segment names as the next one, once its last line was taken. */
  next(): string | null;
  last(): Pick<LogEntry, 'seq' | 'run' | 'hash'> | null;
  /** Time of the last entry in milliseconds; NaN for an invalid one. */
  time(): number;
  /** Whether the last entry is a run's `end`, ignoring segment lines. */
  ended(): boolean;
  runs(): number;
  /** Of the segment. */
  end(): ChainEnd;
  /** How many entries all segments have. */
  size(): number;
  /** The first entry that is before the one before it, by the clock. */
  clockBack(): number | null;
}

/** `file` is the name of the first segment. */
export function createChain(file: string): Chain {
  const permits = createPermits();
  const segments = createSegmentOrder(file);
  const runs = new Set<string>();
  const start: ChainEnd = { seq: 0, prev: firstPrev };
  let end = start;
  let size = 0;
  let last: Pick<LogEntry, 'seq' | 'run' | 'hash'> | null = null;
  let lastTime = Number.NEGATIVE_INFINITY;
  let ended = false;
  let clockBack: number | null = null;
  const taken = (entry: LogEntry | QuickEntry, time: number) => {
    if (clockBack === null && time < lastTime) clockBack = size;
    lastTime = time;
    last = entry;
    end = { seq: entry.seq + 1, prev: entry.hash };
    size += 1;
    if (entry.event !== 'segment') ended = entry.event === 'end';
    runs.add(entry.run);
  };
  return {
    accept: (bytes) => {
      const line = parseLine(bytes);
      if (!line.ok) return { ok: false, seq: line.seq, ...line.damage };
      const { entry } = line;
      const damage =
        linkDamage(entry, { end, run: last?.run ?? entry.run }) ??
        segments.accept(entry, { size, last }) ??
        permits.accept(entry);
      if (damage !== null) return { ok: false, seq: entry.seq, ...damage };
      taken(entry, Date.parse(entry.time));
      return { ok: true, entry };
    },
    acceptQuick: (text, from, take) => {
      const run = last?.run ?? '';
      let start = from;
      // The first line of a segment is looked at closely, and so is all that follows its last one.
      while (start < text.length && end.seq > 0 && segments.next() === null) {
        const entry = quickEntry(text, start, { end, run });
        if (entry === null || permits.isRefused(entry)) break;
        permits.accept(entry);
        taken(entry, entry.at);
        take(entry);
        start = entry.next;
      }
      return start;
    },
    beginSegment: (name) => {
      segments.begin(name);
      end = start;
    },
    next: () => segments.next(),
    last: () => last,
    time: () => lastTime,
    ended: () => ended,
    runs: () => runs.size,
    end: () => end,
    size: () => size,
    clockBack: () => clockBack,
  };
}

function linkDamage(
  entry: LogEntry,
  at: { readonly end: ChainEnd; readonly run: string },
): Omit<Damage, 'seq'> | null {
  // Nearly always.
  if (entry.seq === at.end.seq && entry.run === at.run && entry.prev === at.end.prev)
    return hashDamage(entry);
  const differs = (code: DamageCode, message: string, [expected, found]: readonly [string, string]) =>
    expected === found ? null : { code, message, expected, found };
  return (
    differs('SEQ_GAP', 'the number of the entry is not the next one', [
      String(at.end.seq),
      String(entry.seq),
    ]) ??
    // Another run begins with the entry that says so, and nowhere else.
    (entry.event === 'run' || at.end.seq === 0
      ? null
      : differs('RUN_CHANGED', 'the entry is of another run', [at.run, entry.run])) ??
    differs(
      at.end.seq === 0 ? 'FIRST_PREV' : 'PREV_MISMATCH',
      at.end.seq === 0
        ? 'the first entry does not begin a chain'
        : 'the entry does not follow the one before it',
      [at.end.prev, entry.prev],
    ) ??
    hashDamage(entry)
  );
}

function hashDamage({ hash, ...entry }: LogEntry): Omit<Damage, 'seq'> | null {
  const message = 'the entry is not the one that was hashed';
  try {
    const expected = hashOf(entry);
    return expected === hash ? null : { code: 'HASH_MISMATCH', message, expected, found: hash };
  } catch {
    // A number out of range, or a lone surrogate: a log never writes them.
    return { code: 'HASH_MISMATCH', message, expected: null, found: hash };
  }
}

/**
 * Takes whole lines into a chain, most of them by the fast reader. Returns the mistake of the first bad line
 * and the number of lines before it; null if there is none.
 */
export function acceptLines(
  chain: Chain,
  bytes: Buffer,
  take: (entry: LogEntry | QuickEntry) => void,
): { readonly damage: Damage; readonly before: number } | null {
  const isText = isUtf8(bytes);
  const size = chain.size();
  for (let start = 0; start < bytes.length; ) {
    if (isText) start = chain.acceptQuick(bytes, start, take);
    if (start === bytes.length) break;
    const end = bytes.indexOf(10, start);
    const isTooLong = end - start >= maxLineBytes;
    const taken = isTooLong ? { ok: false as const, ...tooLong } : chain.accept(bytes.subarray(start, end));
    if (!taken.ok) return { damage: taken, before: chain.size() - size };
    take(taken.entry);
    start = end + 1;
  }
  return null;
}

export const tooLong: Damage = {
  code: 'LINE_TOO_LONG',
  seq: null,
  message: 'the line is too long',
  expected: `at most ${maxLineBytes} bytes`,
  found: null,
};
