import type { Names, Output } from '../word.js';

/** The printed names, each on a line or ended by NUL. A name with a line feed is read as several. */
export function printedNames(texts: Iterable<string>, open: boolean, more: Printing = {}): Output {
  const { separator = '\n', under = null } = more;
  const all = [...texts];
  const split = separator === '\n' && all.some((text) => text.includes('\n'));
  const lines = split ? all.flatMap((text) => text.split('\n')) : all;
  const names: Names = { texts: [...new Set(lines)], open, under: open && !split ? under : null };
  return { kind: 'names', names, separator };
}

interface Printing {
  readonly separator?: '\n' | '\0';
  /** The folder that every unknown name begins with. */
  readonly under?: string | null;
}
