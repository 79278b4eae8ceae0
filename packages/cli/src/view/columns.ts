import { printable } from '@ambit/runtime';

/** What a terminal shows in two columns. Where terminals differ, the wider: a line that is a little short harms nobody. */
const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const mark = /\p{M}/u;

/** How many marks one character may have: more of them paint over the lines around. */
const mostMarks = 3;

/** Text from data on one line, as it may stand in any place of a terminal: nothing in it steers, hides or paints over what is near. */
export function shown(text: string): string {
  let marks = mostMarks;
  let line = '';
  for (const character of printable(text.replace(/\s+/g, ' ').trim())) {
    const isMark = mark.test(character);
    // A mark belongs to the character before it, and there has to be one of the same text.
    marks = isMark ? marks + 1 : character === ' ' ? mostMarks : 0;
    line += isMark && marks > mostMarks ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character;
  }
  return line;
}

/** How many columns a text takes that nothing is escaped in any more. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** The beginning of a text, in at most so many columns; `…` stands for what is left out. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  if (columns <= 0) return '';
  let [kept, used] = ['', 0];
  for (const character of text) {
    const more = columnsOfCharacter(character);
    if (used + more > columns - 1) break;
    kept += character;
    used += more;
  }
  return `${kept.trimEnd()}…`;
}

function columnsOfCharacter(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (mark.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
