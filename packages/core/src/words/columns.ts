import { eastAsianWidth } from 'get-east-asian-width';

/** Terminal columns of an escaped text. Where terminals differ, the wider count. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

function columnsOfCharacter(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (/[\p{Mn}\p{Me}]/u.test(character)) return 0;
  const code = character.codePointAt(0) as number;
  return code >= 0x1f000 && code <= 0x1faff ? 2 : eastAsianWidth(code);
}

/** Lines of at most `width` columns, with longer words broken. The first begins with `first`; the others are indented as far. */
export function wrap(text: string, width: number, first = ''): readonly string[] {
  const room = Math.max(20, width - first.length);
  const lines: string[] = [];
  let line: string | null = null;
  for (const word of text.split(' ').flatMap((long) => pieces(long, room))) {
    if (line === null) line = word;
    else if (columnsOf(line) + 1 + columnsOf(word) <= room) line = `${line} ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line ?? ''].map(
    (one, index) => `${index === 0 ? first : ' '.repeat(first.length)}${one}`,
  );
}

/** The text in parts of at most `room` columns. */
export function pieces(text: string, room: number): readonly string[] {
  if (columnsOf(text) <= room) return [text];
  const found: string[] = [];
  let [piece, used] = ['', 0];
  for (const character of text) {
    const columns = columnsOfCharacter(character);
    if (piece !== '' && used + columns > room) {
      found.push(piece);
      [piece, used] = ['', 0];
    }
    piece += character;
    used += columns;
  }
  return [...found, piece];
}
