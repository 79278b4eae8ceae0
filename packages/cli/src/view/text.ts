import { columnsOf, printable, wrap } from '@ambit/core';
import type { Environment, RunResult } from '@ambit/runtime';

/** The width of text, and whether it may have colours. */
export interface Looks {
  readonly width: number;
  readonly colour: boolean;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** Adds colours only if they are wanted. */
export function styled(text: string, style: Style, { colour }: Looks): string {
  const [on, off] = codes[style];
  return colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/** Colours for terminals only, and never with NO_COLOR. */
export function looksOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Environment,
): Looks {
  const { NO_COLOR = '', TERM = '' } = environment;
  return {
    width: Math.max(40, Math.min(stream.columns ?? 80, 100)),
    colour: stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb',
  };
}

/** Escaped. */
export function field(name: string, value: string): string {
  return `${name.padEnd(10)}${printable(value)}`;
}

/** Text from data, escaped and broken into lines by `wrap`. */
export function wrapped(text: string, width: number, first = ''): readonly string[] {
  return wrap(printable(text), width, first);
}

/** In the largest unit that fits: `3 min`. */
export function ago(time: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - time) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** As a log writes it. */
export function timeText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

export type Money = NonNullable<RunResult['totals']['costs']>;

/** Null if one is unknown, or the currencies differ. */
export function sumOfCosts(one: Money | null, other: Money | null): Money | null {
  if (one === null || other === null || one.currency !== other.currency) return null;
  return { amount: one.amount + other.amount, currency: one.currency };
}

/** To a hundredth, or below one to a ten-thousandth; `<` below that. */
export function moneyText({ amount, currency }: Money): string {
  if (amount > 0 && amount < 0.0001) return `< 0.0001 ${currency}`;
  return `${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)} ${currency}`;
}

export function tokenText(count: number): string {
  return Number.isFinite(count) ? String(count) : 'unknown';
}

/** The parts with `between` them, in as many rows as the width needs. */
export function inRows(parts: readonly string[], width: number, between: string): readonly string[] {
  const rows: string[] = [];
  for (const part of parts) {
    const longer = `${rows.at(-1)}${between}${part}`;
    if (rows.length > 0 && columnsOf(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(part);
  }
  return rows;
}

const mark = /\p{M}/u;

/** How many marks one character may have: more of them paint over the lines around. */
const mostMarks = 3;

/** Data on one line, safe anywhere on a terminal: it cannot steer, hide or overwrite other text. */
export function shown(text: string): string {
  let marks = mostMarks;
  let line = '';
  for (const character of printable(text.replace(/\s+/g, ' ').trim())) {
    const isMark = mark.test(character);
    // A mark needs a character before it in the same text.
    marks = isMark ? marks + 1 : character === ' ' ? mostMarks : 0;
    line += isMark && marks > mostMarks ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character;
  }
  return line;
}

/** `…` marks an omission. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  if (columns <= 0) return '';
  let [kept, used] = ['', 0];
  for (const character of text) {
    const more = columnsOf(character);
    if (used + more > columns - 1) break;
    kept += character;
    used += more;
  }
  return `${kept.trimEnd()}…`;
}
