import { isUtf8 } from 'node:buffer';
import { type LogEntry, maxLineBytes } from '../log/line/line.js';
import type { QuickEntry } from '../log/line/quick-line.js';
import type { Chain } from './chain.js';
import type { Damage } from './verification.js';

/**
 * Takes whole lines into a chain, most of them without a closer look: they are as a log writes them. Gives what is wrong with the first
 * one that is not taken, and how many of these lines stand before it; null where nothing is.
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
