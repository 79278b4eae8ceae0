import { columnsOf } from '@ambit/core';
import { escapeText } from './escape.js';

const widest = 100;

/** A long line is cut to a window around the span. */
export function excerptOf(line: { number: number; text: string; column: number; length: number }): string {
  const number = String(line.number);
  const start = Math.min(line.column - 1, line.text.length);
  const end = Math.min(line.text.length, start + Math.max(1, line.length));
  // A line may be megabytes long; only this much around the place is shown.
  const first = Math.max(0, start - 2 * widest);
  const cells = cellsOf(line.text.slice(first, start + 2 * widest), first);
  const { from, to } = windowOf(cells, start);
  const shown = cells.slice(from, to);
  const before = first > 0 || from > 0 ? '…' : '';
  const after = to < cells.length || start + 2 * widest < line.text.length ? '…' : '';
  const indent = columnsOf(before) + sum(shown.filter((cell) => cell.at < start));
  const carets = Math.max(1, sum(shown.filter((cell) => cell.at >= start && cell.at < end)));
  const margin = ' '.repeat(number.length);
  return [
    `  ${number} | ${before}${shown.map((cell) => cell.text).join('')}${after}`,
    `  ${margin} | ${' '.repeat(indent)}${'^'.repeat(carets)}`,
  ].join('\n');
}

/** One character as it is shown: a tab as four blanks, a hidden one as its escape. */
interface Cell {
  readonly at: number;
  readonly text: string;
  readonly width: number;
}

function cellsOf(text: string, first: number): readonly Cell[] {
  const cells: Cell[] = [];
  let at = first;
  for (const character of text) {
    const shown = character === '\t' ? '    ' : escapeText(character);
    cells.push({ at, text: shown, width: columnsOf(shown) });
    at += character.length;
  }
  return cells;
}

function windowOf(cells: readonly Cell[], start: number): { from: number; to: number } {
  if (sum(cells) <= widest) return { from: 0, to: cells.length };
  const target = cells.findIndex((cell) => cell.at >= start);
  let from = target === -1 ? cells.length : target;
  for (let room = widest / 2; from > 0; from -= 1) {
    room -= (cells[from - 1] as Cell).width;
    if (room < 0) break;
  }
  let to = from;
  for (let room = widest; to < cells.length; to += 1) {
    room -= (cells[to] as Cell).width;
    if (room < 0) break;
  }
  return { from, to };
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((total, cell) => total + cell.width, 0);
}
