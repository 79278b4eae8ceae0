import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openForReading } from '../../log/files/open-file.js';
import { openRegular } from '../../log/files/regular-file.js';
import { writeWhole } from '../../log/files/write-whole.js';
import { leafOf } from '../../log/line/line.js';
import { parseLine } from '../../log/line/parse-line.js';
import { closingOf } from '../../log/line/segment-line.js';
import { readEvents } from '../../log/read/read-log.js';
import { firstSegmentOf } from '../../log/segments/find-first.js';
import { type CallIndex, Indexing, type Level, levels, mostIndexed } from './call-index.js';
import { LoggedCalls } from './logged-call.js';

/** An index of a log; only the level that is asked for is read. Null for a level that was too large, or is damaged. */
export interface OpenIndex {
  readonly level: (level: Level) => Promise<CallIndex | null>;
}

interface Head {
  readonly ambit_index: typeof version;
  readonly log: string;
  readonly bytes: readonly number[];
  /** The SHA-256 of each level, in hexadecimal. */
  readonly digests: readonly string[];
}

const version = 5;

/** Null if the file is missing, unreadable, cut or outdated. */
export async function openIndex(log: string, file: string): Promise<OpenIndex | null> {
  const mark = await markOf(log);
  const found = await readPart(file, null).catch(() => null);
  if (mark === null || found?.log !== mark) return null;
  return {
    level: async (level) => {
      const { log: marked, part } = await readPart(file, levels.indexOf(level));
      return marked === mark && part !== null ? (JSON.parse(part) as CallIndex | null) : null;
    },
  };
}

/** Reads the whole log. Throws a `LogError` at an entry that cannot be read. `most`: characters of a level. */
export async function buildIndex(
  log: string,
  most = mostIndexed,
): Promise<OpenIndex & { readonly save: (file: string) => Promise<boolean> }> {
  const before = await markOf(log);
  const calls = new LoggedCalls({ history: false });
  const indexing = levels.map((level) => new Indexing(level, most));
  for await (const lines of readEvents(log, ['policy', 'decision']))
    for (const { entry, file, masked } of lines) {
      const call = calls.accept(entry, file);
      if (call === null) continue;
      for (const each of indexing) each.accept(call, masked !== false);
    }
  const built = indexing.map((each) => each.built(calls.counts()));
  return {
    level: async (level) => JSON.parse(built[levels.indexOf(level)] ?? '') as CallIndex | null,
    save: async (file) => {
      // The log continued meanwhile, so its index would be incomplete.
      if (before === null || before !== (await markOf(log))) return false;
      await writeIndex(file, before, built);
      return true;
    },
  };
}

/** A digest of the state of all segments, found without reading them whole; null where a last line cannot be read. */
async function markOf(log: string): Promise<string | null> {
  const first = await firstSegmentOf(log);
  const marks: { readonly file: string; readonly [state: string]: string | number }[] = [];
  for (let path: string | null = first; path !== null; ) {
    const handle: FileHandle = await openForReading(path);
    try {
      const { size, mtimeMs } = await handle.stat();
      const last = await lastEntry(handle, size);
      if (last === null) return null;
      // The hash of the last whole line covers all before it.
      marks.push({ file: path, size, changed: mtimeMs, hash: last.leaf });
      const next: string | null = closingOf(last.entry)?.next ?? null;
      path = next === null ? null : join(dirname(first), next);
      if (marks.some((mark) => mark.file === path)) return null;
    } finally {
      await handle.close();
    }
  }
  return hash('sha256', JSON.stringify(marks));
}

async function lastEntry(handle: FileHandle, size: number) {
  for (let length = 16 * 1024; ; length *= 16) {
    const start = Math.max(0, size - length);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const end = buffer.subarray(0, bytesRead).lastIndexOf(newline);
    const before = end <= 0 ? -1 : buffer.lastIndexOf(newline, end - 1);
    if (end !== -1 && (before !== -1 || start === 0)) {
      const line = buffer.subarray(before + 1, end);
      const parsed = parseLine(line);
      return parsed.ok ? { entry: parsed.entry, leaf: leafOf(parsed.entry, line) } : null;
    }
    if (start === 0) return null;
  }
}

const newline = 10;

async function writeIndex(file: string, log: string, built: readonly string[]): Promise<void> {
  const parts = built.map((part) => Buffer.from(`${part}\n`));
  const [bytes, digests] = [parts.map(({ length }) => length), parts.map((part) => hash('sha256', part))];
  const head: Head = { ambit_index: version, log, bytes, digests };
  // It repeats the log, so it has the log's permissions.
  await writeWhole(file, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts]));
}

/** The level is null if it is damaged. */
async function readPart(
  file: string,
  index: number | null,
): Promise<{ readonly log: string; readonly part: string | null }> {
  const handle = await openRegular(file);
  try {
    const beginning = await readAt(handle, 0, 4096);
    const end = beginning.indexOf('\n') + 1;
    const { ambit_index, log, bytes, digests } = JSON.parse(beginning.toString('utf8', 0, end)) as Head;
    if (ambit_index !== version) throw new Error('this index has a different version');
    const startOf = (part: number) => bytes.slice(0, part).reduce((sum, length) => sum + length, end);
    if ((await handle.stat()).size !== startOf(bytes.length)) throw new Error('this index was cut');
    if (index === null) return { log, part: null };
    const part = await readAt(handle, startOf(index), bytes[index] as number);
    return { log, part: hash('sha256', part) === digests[index] ? part.toString() : null };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
