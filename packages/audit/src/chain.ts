import { type ChainEnd, firstPrev, hashOf, type LogEntry } from './line.js';
import { parseLine } from './parse-line.js';
import { createPermits } from './permits.js';
import type { Damage, DamageCode } from './verification.js';

/** What the lines of a log come to, as far as they were taken. */
export interface Chain {
  /** What is wrong with the next whole line, or its entry. */
  accept(bytes: Buffer): ({ readonly ok: false } & Damage) | { readonly ok: true; readonly entry: LogEntry };
  last(): LogEntry | null;
  runs(): number;
  end(): ChainEnd;
  /** The first entry that is before the one before it, by the clock. */
  clockBack(): number | null;
}

export function createChain(): Chain {
  const permits = createPermits();
  const runs = new Set<string>();
  let last: LogEntry | null = null;
  let clockBack: number | null = null;
  const end = (): ChainEnd => ({ seq: last === null ? 0 : last.seq + 1, prev: last?.hash ?? firstPrev });
  return {
    accept: (bytes) => {
      const line = parseLine(bytes);
      if (!line.ok) return { ok: false, seq: line.seq, ...line.damage };
      const { entry } = line;
      const damage = linkDamage(entry, { end: end(), run: last?.run ?? entry.run }) ?? permits.accept(entry);
      if (damage !== null) return { ok: false, seq: entry.seq, ...damage };
      if (clockBack === null && last !== null && Date.parse(entry.time) < Date.parse(last.time))
        clockBack = entry.seq;
      last = entry;
      runs.add(entry.run);
      return { ok: true, entry };
    },
    last: () => last,
    runs: () => runs.size,
    end,
    clockBack: () => clockBack,
  };
}

function linkDamage(
  entry: LogEntry,
  at: { readonly end: ChainEnd; readonly run: string },
): Omit<Damage, 'seq'> | null {
  const differs = (code: DamageCode, message: string, [expected, found]: readonly [string, string]) =>
    expected === found ? null : { code, message, expected, found };
  return (
    differs('SEQ_GAP', 'the number of the entry is not the next one', [
      String(at.end.seq),
      String(entry.seq),
    ]) ??
    // Another run begins with the entry that says so, and nowhere else.
    (entry.event === 'run'
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
    // A number beyond all bounds, or a lone surrogate: nothing that a log writes.
    return { code: 'HASH_MISMATCH', message, expected: null, found: hash };
  }
}
