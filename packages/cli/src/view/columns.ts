import { columnsOf, printable } from '@ambit/core';

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
