import { orNull } from '@ambit/core';

/** The exact text of UTF-8 bytes, with a byte order mark; null for other bytes. NUL counts as binary. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  return orNull(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

export interface Range {
  /** The first line, from 1. */
  readonly from: number;
  /** The most lines. */
  readonly lines: number;
  /** Where in the first line to begin, from 1. */
  readonly column: number;
}

export interface Page {
  readonly text: string;
  readonly from: number;
  /** The last returned line, whole or in part; `from - 1` for none. */
  readonly to: number;
  readonly total_lines: number;
  /** How to get the rest; null if there is none. */
  readonly rest: string | null;
}

export const pageCharacters = 100_000;

/** Lines of a text, unchanged, with line ends. Omissions are marked. */
export function pageOf(text: string, { from, lines, column }: Range): Page {
  const all = text.split(/(?<=\n)/).filter((line) => line !== '');
  const wanted = all
    .slice(from - 1, from - 1 + lines)
    .map((line, index) => (index === 0 ? line.slice(column - 1) : line));
  const fitting = countWithin(wanted, pageCharacters);
  const total_lines = all.length;
  if (fitting === 0 && wanted.length > 0) {
    const part = cut(wanted[0] ?? '', pageCharacters);
    return {
      text: part,
      from,
      to: from,
      total_lines,
      rest: `line ${from} goes on: call again with from ${from} and column ${column + part.length}`,
    };
  }
  const to = from - 1 + fitting;
  const rest =
    to < total_lines && fitting > 0 ? `${total_lines - to} more lines: call again with from ${to + 1}` : null;
  return { text: wanted.slice(0, fitting).join(''), from, to, total_lines, rest };
}

/** The number of leading texts that fit into a number of characters. */
function countWithin(texts: readonly string[], most: number): number {
  let left = most;
  const tooMuch = texts.findIndex((text) => {
    left -= text.length;
    return left < 0;
  });
  return tooMuch === -1 ? texts.length : tooMuch;
}

/** Never through the middle of a character. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
