/**
 * One line that a terminal shows as it is: control, bidirectional and invisible characters, line separators
 * and lone surrogates become `\u{1b}`. A backslash that would read as such an escape is escaped itself, so no
 * two texts look alike.
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

/** JSON on one line that a terminal shows as it is: what it would obey or hide becomes an escape of JSON. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return plain.test(text) ? text : text.replace(unseenInJson, escapedInJson);
}

const plain = /^[\n\x20-\x7e]*$/;

// JSON.stringify has escaped C0 controls and lone surrogates already; a newline of an indented text stays.
const unseenInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escapedInJson(found: string): string {
  return found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
