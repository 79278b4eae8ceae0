import { type Column, type Names, type Output, unknownOutput } from '../word.js';

/** The printed names, each on a line or ended by NUL. A name with a line feed is read as several. */
export function printed(texts: Iterable<string>, open: boolean, more: Printing = {}): Output {
  const { separator = '\n', under = null } = more;
  const all = [...texts];
  const split = separator === '\n' && all.some((text) => text.includes('\n'));
  const lines = split ? all.flatMap((text) => text.split('\n')) : all;
  const names: Names = { texts: [...new Set(lines)], open, under: open && !split ? under : null };
  return { kind: 'names', names, separator };
}

/** Lines that begin with one of these names and a colon, and perhaps with the number of the line behind it. */
export function located(texts: Iterable<string>, open: boolean, isNumbered: boolean): Output {
  const output = printed(texts, open);
  if (output.kind !== 'names' || output.names.texts.some((name) => name.includes(':'))) return unknownOutput;
  const columns: readonly Column[] = [output.names, ...(isNumbered ? (['number'] as const) : [])];
  return { kind: 'table', columns, rest: null, separator: ':' };
}

interface Printing {
  readonly separator?: '\n' | '\0';
  /** The folder that every unknown name begins with. */
  readonly under?: string | null;
}
