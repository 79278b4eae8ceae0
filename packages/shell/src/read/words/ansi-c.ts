const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/**
 * The value of `$'…'`, from the text between the quotes; null if it depends on the locale, or is not text.
 */
export function ansiC(text: string): string | null {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character !== '\\') {
      result += character;
      continue;
    }
    const rest = text.slice(index + 1, index + 10);
    const letter = rest[0] === undefined ? undefined : letters[rest[0]];
    const code = /^(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/.exec(rest);
    if (letter !== undefined) {
      result += letter;
      index += 1;
    } else if (code !== null) {
      const [whole, octal, ...hexadecimal] = code;
      const value =
        octal === undefined ? Number.parseInt(hexadecimal.join(''), 16) : Number.parseInt(octal, 8) & 0xff;
      // A NUL ends the text, and a byte above 127 is only a part of a character.
      if (value === 0 || value > 127) return null;
      result += String.fromCharCode(value);
      index += whole.length;
    } else if (/^[cxuU]/.test(rest)) return null;
    else result += character;
  }
  return result;
}
