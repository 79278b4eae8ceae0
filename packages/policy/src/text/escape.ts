/**
 * Data in a message for a terminal: control, bidirectional, invisible and unpaired characters become escapes. Unlike with
 * `printable` of core, a second time changes nothing, because messages contain other messages.
 */
export function escapeText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  // Control, format, line separators, surrogates, private use, unassigned, ignorable; unusual blanks. Read where it is first
  // needed: that takes long.
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu,
    escapeCharacter,
  );
}

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
