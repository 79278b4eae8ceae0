/**
 * One line that a terminal shows as it is: control, bidirectional and invisible characters, line separators and lone
 * surrogates become `\u{1b}`. A backslash that would read as such an escape is escaped itself, so no two texts look alike.
 */
export function printable(text: string): string {
  return text.replace(unprintable, escaped);
}

/** The same for text of several lines: newlines and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(unprintable, (found) => (found === '\n' || found === '\t' ? found : escaped(found)));
}

// Default_Ignorable_Code_Point holds zero-width characters, fillers, variation selectors and tags; U+2800 is a blank pattern.
const unprintable = /\\(?=u\{)|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escaped(found: string): string {
  return `\\u{${(found.codePointAt(0) as number).toString(16)}}`;
}
