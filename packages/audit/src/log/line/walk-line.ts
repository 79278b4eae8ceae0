import { jsonOr } from '@ambit/core';
import { headMembers } from './line.js';

/** Walks over a line or, from the end of its head and at depth 1, over its rest. The line may hold any bytes. */
export function walkLine(line: Buffer, from = 0, depth = 0) {
  const { length } = line;
  /** At any depth. */
  let members = 0;
  let deepest = depth;
  /** The place after the first value; null if that is not closed. */
  let end: number | null = null;
  /** Whether a key of a head stands at the top. */
  let hasHeadKey = false;
  for (let at = from; at < length; at += 1) {
    const byte = line[at] as number;
    if (byte === 34) {
      const close = textEnd(line, at + 1);
      if (close === -1) break;
      let next = close + 1;
      while ((line[next] as number) <= 32) next += 1;
      if (line[next] === 58) {
        members += 1;
        hasHeadKey ||= depth === 1 && isHeadKey(line, at + 1, close);
      }
      at = next - 1;
    } else if (byte > 90) {
      // Without this bit, both kinds of brackets are the same.
      const bracket = byte | 32;
      if (bracket === 123) {
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if (bracket === 125) {
        depth -= 1;
        if (depth === 0) end ??= at + 1;
      }
    }
  }
  return { members, deepest, end, hasHeadKey };
}

const keys: ReadonlySet<string> = new Set(['prev', 'v', 'seq', 'time', 'run', ...headMembers]);

const candidates = new Uint8Array(1 << 12);
for (const key of keys) candidates[(key.length << 8) | key.charCodeAt(0)] = 1;

/** The place of the quote that ends a text; -1 without one. */
function textEnd(line: Buffer, start: number): number {
  const near = Math.min(line.length, start + 32);
  let at = start;
  while (at < near && line[at] !== 34) at += 1;
  if (at === near) at = line.indexOf(34, at);
  while (at !== -1 && line[at - 1] === 92) {
    let before = at - 1;
    while (before > start && line[before - 1] === 92) before -= 1;
    if ((at - before) % 2 === 0) break;
    at = line.indexOf(34, at + 1);
  }
  return at;
}

function isHeadKey(line: Buffer, start: number, end: number): boolean {
  const length = end - start;
  const isCandidate = length < 16 && candidates[(length << 8) | (line[start] as number)] === 1;
  if (isCandidate && keys.has(line.toString('latin1', start, end))) return true;
  let at = start;
  while (at < end && line[at] !== 92) at += 1;
  if (at === end) return false;
  const key = jsonOr(line.toString('utf8', start - 1, end + 1), null);
  return key === null || keys.has(key as string);
}
