import { hiddenCharacters } from '@ambit/core';

/**
 * Data in a message for a terminal: control, bidirectional, invisible and unpaired characters become escapes. Unlike with
 * `printable` of core, a second time changes nothing, because messages contain other messages.
 */
export function escapeText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  escapable ??= new RegExp(String.raw`[\p{C}${hiddenCharacters}]|(?! )\p{Zs}`, 'gu');
  return text.replace(escapable, escapeCharacter);
}

/** Control, hidden, unpaired, private and unassigned characters, and unusual blanks. Built when first needed: that takes long. */
let escapable: RegExp | undefined;

/** The escaped data in backticks, on one line, shortened for a message. */
export function quote(text: string): string {
  const characters = [...text];
  const short = characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : text;
  return `\`${escapeText(short)}\``;
}

function escapeCharacter(character: string): string {
  const known = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
  if (known !== undefined) return known;
  const code = (character.codePointAt(0) as number).toString(16);
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`;
}
