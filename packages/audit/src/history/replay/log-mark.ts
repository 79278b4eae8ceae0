import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openForReading } from '../../log/files/open-file.js';
import { leafOf } from '../../log/line/line.js';
import { parseLine } from '../../log/line/parse-line.js';
import { closingOf } from '../../log/line/segment-line.js';
import { firstSegmentOf } from '../../log/segments/find-first.js';

/** The state of a segment, found without reading all of it. */
export interface SegmentMark {
  readonly file: string;
  readonly size: number;
  /** Milliseconds since 1970 of its last change. */
  readonly changed: number;
  /** The hash of its last whole line, which covers all before it. */
  readonly hash: string;
}

/** The marks of all segments of a log, in order; null where a last line cannot be read. */
export async function markOf(file: string): Promise<readonly SegmentMark[] | null> {
  const first = await firstSegmentOf(file);
  const marks: SegmentMark[] = [];
  for (let path: string | null = first; path !== null; ) {
    const handle: FileHandle = await openForReading(path);
    try {
      const { size, mtimeMs } = await handle.stat();
      const last = await lastEntry(handle, size);
      if (last === null) return null;
      marks.push({ file: path, size, changed: mtimeMs, hash: last.leaf });
      const next: string | null = closingOf(last.entry)?.next ?? null;
      path = next === null ? null : join(dirname(first), next);
      if (marks.some((mark) => mark.file === path)) return null;
    } finally {
      await handle.close();
    }
  }
  return marks;
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
