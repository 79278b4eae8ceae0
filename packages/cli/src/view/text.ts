import { columnsOf, printable } from '@ambit/core';

/** The width of text, and whether it may have colours. */
export interface Looks {
  readonly width: number;
  readonly colour: boolean;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** Adds colours only if they are wanted. */
export function styled(text: string, style: Style, { colour }: Looks): string {
  const [on, off] = codes[style];
  return colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/** Colours for terminals only, and never with NO_COLOR. */
export function looksOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
): Looks {
  const { NO_COLOR = '', TERM = '' } = environment;
  return {
    width: Math.max(40, Math.min(stream.columns ?? 80, 100)),
    colour: stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb',
  };
}

/** Escaped. */
export function field(name: string, value: string): string {
  return `${name.padEnd(10)}${printable(value)}`;
}

/** Text from data, escaped and broken into lines of at most `width`; the first begins with `first`, the others are indented as far. */
export function wrapped(text: string, width: number, first = ''): readonly string[] {
  const room = Math.max(20, width - first.length);
  const lines: string[] = [];
  let line: string | null = null;
  for (const word of printable(text)
    .split(' ')
    .flatMap((long) => pieces(long, room))) {
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

export function pieces(text: string, room: number): readonly string[] {
  if (columnsOf(text) <= room) return [text];
  const found: string[] = [];
  let [piece, used] = ['', 0];
  for (const character of text) {
    const columns = columnsOf(character);
    if (piece !== '' && used + columns > room) {
      found.push(piece);
      [piece, used] = ['', 0];
    }
    piece += character;
    used += columns;
  }
  return [...found, piece];
}
