import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { printable } from '@ambit/core';
import { type FileLine, fileLines } from './file-lines.js';
import { type ChainEnd, firstPrev, hashOf, type LogEntry, lineHead, maxLineBytes } from './line.js';
import { LogError } from './log-error.js';
import { type LineDamageCode, parseLine } from './parse-line.js';
import { createPermits } from './permits.js';

export type DamageCode =
  | LineDamageCode
  | 'LINE_TOO_LONG'
  | 'SEQ_GAP'
  | 'RUN_CHANGED'
  /** The first line does not begin a chain. */
  | 'FIRST_PREV'
  /** A line before this one was changed, or taken out. */
  | 'PREV_MISMATCH'
  /** This line was changed. */
  | 'HASH_MISMATCH'
  /** A call ran without a decision, or an answer, that let it. */
  | 'OUTCOME_WITHOUT_DECISION';

/** What a log proves of itself. A file cut off after a whole line verifies: compare `entries`, `ended` and `head`. */
export type Verification =
  | {
      readonly ok: true;
      readonly entries: number;
      /** The last one; a file that was named for several runs holds them one after the other. */
      readonly run: string | null;
      readonly runs: number;
      /** Whether the last entry is the run's `end`. */
      readonly ended: boolean;
      /** The hash of the last whole line; null in an empty file. */
      readonly head: string | null;
      /** The beginning of a line that was never finished: its writer was killed. It was acknowledged to nobody. */
      readonly torn: { readonly line: number; readonly offset: number; readonly bytes: number } | null;
    }
  | {
      readonly ok: false;
      /** From 1. */
      readonly line: number;
      readonly seq: number | null;
      readonly code: DamageCode;
      readonly message: string;
      readonly expected: string | null;
      readonly found: string | null;
    };

/** Checks a log from its first line to its last, or to the first damage. Rejects where the file cannot be read. */
export async function verifyLog(file: string): Promise<Verification> {
  const handle = await openForReading(file);
  try {
    return await verifyHandle(handle);
  } finally {
    await handle.close();
  }
}

export async function openForReading(file: string): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new LogError('UNSAFE_FILE', `${printable(file)} is not a regular file`, { file });
}

export async function verifyHandle(handle: FileHandle): Promise<Verification> {
  const chain = createChain();
  let torn: FileLine | null = null;
  for await (const line of fileLines(handle)) {
    const damage = line.tooLong
      ? {
          code: 'LINE_TOO_LONG' as const,
          seq: null,
          message: 'the line is too long',
          expected: `at most ${maxLineBytes} bytes`,
          found: null,
        }
      : line.whole
        ? chain.accept(line.bytes)
        : tailDamage(line.bytes, chain.end().seq);
    if (damage !== null) return { ok: false, line: line.number, ...damage };
    if (!line.whole) torn = line;
  }
  const last = chain.last();
  return {
    ok: true,
    entries: chain.end().seq,
    run: last?.run ?? null,
    runs: chain.runs(),
    ended: last?.event === 'end',
    head: last?.hash ?? null,
    torn: torn === null ? null : { line: torn.number, offset: torn.offset, bytes: torn.bytes.length },
  };
}

type Damage = Omit<Extract<Verification, { ok: false }>, 'ok' | 'line'>;

interface Chain {
  /** What is wrong with the next whole line, if anything is. */
  accept(bytes: Buffer): Damage | null;
  last(): LogEntry | null;
  runs(): number;
  end(): ChainEnd;
}

function createChain(): Chain {
  const permits = createPermits();
  const runs = new Set<string>();
  let last: Pick<LogEntry, 'seq' | 'run' | 'hash' | 'event'> | null = null;
  const end = (): ChainEnd => ({ seq: last === null ? 0 : last.seq + 1, prev: last?.hash ?? firstPrev });
  return {
    accept: (bytes) => {
      const line = parseLine(bytes);
      if (!line.ok) return { seq: line.seq, ...line.damage };
      const { entry } = line;
      const damage = linkDamage(entry, { end: end(), run: last?.run ?? entry.run }) ?? permits.accept(entry);
      if (damage !== null) return { seq: entry.seq, ...damage };
      last = entry;
      runs.add(entry.run);
      return null;
    },
    last: () => last as LogEntry | null,
    runs: () => runs.size,
    end,
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

/** A line without its newline is torn when it can be the beginning of the next one, or was never filled (a power cut). */
function tailDamage(bytes: Buffer, seq: number): Damage | null {
  const head = lineHead(seq);
  const begins = bytes.subarray(0, head.length).toString('latin1');
  if (head.startsWith(begins) || bytes.every((byte) => byte === 0)) return null;
  return {
    code: 'TRAILING_GARBAGE',
    seq: null,
    message: 'what follows the last line is no line',
    expected: head,
    found: null,
  };
}

/** One line for a person; escaped. */
export function formatVerification(file: string, verification: Verification): string {
  const name = printable(file);
  if (!verification.ok) {
    const { line, code, message, expected, found } = verification;
    const help = [
      expected === null ? [] : [`expected ${expected}`],
      found === null ? [] : [`found ${found}`],
    ].flat();
    return printableParts(name, line, `${code} ${message}`, help);
  }
  const { entries, run, runs, ended, torn } = verification;
  const of = run === null ? '' : runs === 1 ? ` of run ${printable(run)}` : ` of ${runs} runs`;
  const open = entries > 0 && !ended ? `; the ${runs > 1 ? 'last ' : ''}run has no end yet` : '';
  const rest =
    torn === null ? '' : `; line ${torn.line} is torn (${torn.bytes} bytes), everything before it is whole`;
  return `${name}: verified, ${entries} ${entries === 1 ? 'entry' : 'entries'}${of}${open}${rest}`;
}

function printableParts(name: string, line: number, message: string, help: readonly string[]): string {
  const detail = help.length === 0 ? '' : `: ${printable(help.join(', '))}`;
  return `${name}:${line}: ${printable(message)}${detail}`;
}
