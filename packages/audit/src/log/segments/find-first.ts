import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { firstLine } from '../files/file-lines.js';
import { ifThere } from '../files/log-error.js';
import { openForReading } from '../files/open-file.js';
import { firstPrev, isTorn } from '../line/line.js';
import { parseLine } from '../line/parse-line.js';
import { type Opening, openingOf } from '../line/segment-line.js';
import { firstPathOf } from './segment-name.js';

/** The first segment of the log of a file: the file itself, unless it is a later segment. */
export async function firstSegmentOf(file: string): Promise<string> {
  const found = await beginningOf(file);
  if (found === null) return file;
  const first = firstPathOf(file);
  if (found.line !== null) return first ?? join(dirname(file), found.line.before.file);
  // Its content does not identify it, and its name may be that of a segment.
  const isEmptied = found.isBare && first !== null && (await beginningOf(first)) !== null;
  return isEmptied ? first : file;
}

interface Beginning {
  /** As a later segment; null if it is not one. */
  readonly line: Opening | null;
  /** Whether nothing follows that line, or no line is complete yet. */
  readonly isBare: boolean;
}

/** Null if the file does not exist. */
async function beginningOf(file: string): Promise<Beginning | null> {
  const handle = await ifThere(openForReading(file));
  if (handle === null) return null;
  try {
    const first = await firstLine(handle);
    if (first === null) return { line: null, isBare: true };
    const { bytes, whole } = first;
    if (!whole) return { line: null, isBare: isTorn(bytes, { seq: 0, prev: firstPrev }) };
    const parsed = parseLine(bytes);
    const line = parsed.ok ? openingOf(parsed.entry) : null;
    return { line, isBare: line !== null && (await handle.stat()).size === bytes.length + 1 };
  } finally {
    await handle.close();
  }
}

/** Whether an unnamed segment follows: `abandoned` by a killed writer, or `entered` (a cut). */
export async function strayAfter(file: string, next: string): Promise<'abandoned' | 'entered' | null> {
  const found = await beginningOf(next);
  if (found === null) return null;
  if (found.line === null) return found.isBare ? 'abandoned' : null;
  // It belongs to another log or place.
  if (found.line.before.file !== basename(file)) return null;
  return found.isBare ? 'abandoned' : 'entered';
}

/** The first segments of the named logs, in order and once. A folder names all logs in it. */
export async function logsIn(paths: readonly string[]): Promise<readonly string[]> {
  const logs = new Set<string>();
  for (const path of paths)
    for (const file of await filesIn(resolve(path))) logs.add(await firstSegmentOf(file));
  return [...logs];
}

async function filesIn(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(path, name));
}
