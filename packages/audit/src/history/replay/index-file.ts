import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { openRegular } from '../../log/files/regular-file.js';
import { writeWhole } from '../../log/files/write-whole.js';
import { readEvents } from '../../log/read/read-log.js';
import { type CallIndex, createIndexing, type Level, levels, mostIndexed } from './call-index.js';
import { markOf, type SegmentMark } from './log-mark.js';
import { createLoggedCalls } from './logged-call.js';

/** An index of a log; only the level that is asked for is read. Null for a level that was too large. */
export interface OpenIndex {
  readonly level: (level: Level) => Promise<CallIndex | null>;
}

interface Head {
  readonly ambit_index: typeof version;
  readonly log: string;
  readonly bytes: readonly number[];
}

const version = 3;

/** Null if the file is missing, unreadable or outdated. */
export async function openIndex(log: string, file: string): Promise<OpenIndex | null> {
  const mark = digestOf(await markOf(log));
  const found = await readPart(file, null).catch(() => null);
  if (mark === null || found?.log !== mark) return null;
  return {
    level: async (level) => {
      const { log: marked, part } = await readPart(file, levels.indexOf(level));
      if (marked !== mark) throw new Error('the index was replaced meanwhile');
      return JSON.parse(part) as CallIndex | null;
    },
  };
}

/** Reads the whole log. Throws a `LogError` at an entry that cannot be read. `most`: characters of a level. */
export async function buildIndex(
  log: string,
  most = mostIndexed,
): Promise<OpenIndex & { readonly save: (file: string) => Promise<boolean> }> {
  const before = digestOf(await markOf(log));
  const calls = createLoggedCalls({ history: false });
  const indexing = levels.map((level) => createIndexing(level, most));
  for await (const lines of readEvents(log, ['policy', 'decision']))
    for (const { entry, masked } of lines) {
      const call = calls.accept(entry);
      if (call === null) continue;
      for (const each of indexing) each.accept(call, masked !== false);
    }
  const built = indexing.map((each) => each.built(calls.counts()));
  return {
    level: async (level) => JSON.parse(built[levels.indexOf(level)] ?? '') as CallIndex | null,
    save: async (file) => {
      // The log continued meanwhile, so its index would be incomplete.
      if (before === null || before !== digestOf(await markOf(log))) return false;
      await writeIndex(file, before, built);
      return true;
    },
  };
}

function digestOf(mark: readonly SegmentMark[] | null): string | null {
  return mark && hash('sha256', JSON.stringify(mark));
}

async function writeIndex(file: string, log: string, built: readonly string[]): Promise<void> {
  const parts = built.map((part) => Buffer.from(`${part}\n`));
  const head: Head = { ambit_index: version, log, bytes: parts.map(({ length }) => length) };
  // It repeats the log, so it has the log's permissions.
  await writeWhole(file, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts]));
}

async function readPart(
  file: string,
  index: number | null,
): Promise<{ readonly log: string; readonly part: string }> {
  const handle = await openRegular(file);
  try {
    const beginning = await readAt(handle, 0, 4096);
    const end = beginning.indexOf('\n') + 1;
    const { ambit_index, log, bytes } = JSON.parse(beginning.toString('utf8', 0, end)) as Head;
    if (ambit_index !== version) throw new Error('this index is of another version');
    if (index === null) return { log, part: '' };
    const start = bytes.slice(0, index).reduce((sum, length) => sum + length, end);
    return { log, part: (await readAt(handle, start, bytes[index] as number)).toString() };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
