/** One line for a terminal: hidden and control characters become `\u{1b}`. No two texts look alike. */
export function printable(text: string): string {
  return text.replace(unprintable, escaped);
}

/** Newlines and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(unprintable, (found) => (found === '\n' || found === '\t' ? found : escaped(found)));
}

// Default_Ignorable_Code_Point holds zero-width characters, fillers, variation selectors and tags; U+2800 is a blank pattern.
const unprintable = /\\(?=u\{)|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escaped(found: string): string {
  return `\\u{${(found.codePointAt(0) as number).toString(16)}}`;
}

/** JSON on one line for a terminal, with escapes of JSON. */
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
