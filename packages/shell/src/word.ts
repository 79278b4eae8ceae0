/** One argument of a command after expansion, or several, as far as it is known before the shell runs. */
export type Word = TextWord | NamesWord | UnknownWord;

/** Exactly one argument of this text. */
export interface TextWord {
  readonly kind: 'text';
  readonly text: string;
}

/** Names that a listing gives, each between the same texts: `"$f.bak"` where `f` runs over names. */
export interface NamesWord {
  readonly kind: 'names';
  readonly before: string;
  readonly names: Names;
  readonly after: string;
  /** `one`: a single argument, one of the names at a time, and each in turn. `many`: any number of arguments, none included. */
  readonly count: 'one' | 'many';
}

/** Text that is unknown until the line runs. */
export interface UnknownWord {
  readonly kind: 'unknown';
  /** How it is known to begin. */
  readonly start: string;
  /** `one`: exactly one argument. `many`: any number, none included. */
  readonly count: 'one' | 'many';
  /** Whether it consists of digits, so that it is neither an option nor a path worth a name. */
  readonly isNumber?: true;
  /** As it is written, for people. */
  readonly written: string;
}

/** Texts that a pattern, a listing or a loop gives: all that it may give, and perhaps more. */
export interface Names {
  /** In the order in which they are given. Relative ones belong to the folder in which they are used. */
  readonly texts: readonly string[];
  /** Whether there may be others. */
  readonly open: boolean;
  /** What every other one is or begins with, as a folder without a slash at its end; null where that is unknown. */
  readonly under: string | null;
}

/** What a command writes to its standard output, or finds on its standard input. */
export type Output =
  | { readonly kind: 'text'; readonly text: string }
  /** Each on a line, or each ended by NUL. */
  | { readonly kind: 'names'; readonly names: Names; readonly separator: '\n' | '\0' }
  /** A whole number and a line feed. `mayBeMissing`: or nothing. */
  | { readonly kind: 'number'; readonly mayBeMissing?: true }
  | { readonly kind: 'unknown' };

export const unknownOutput: Output = { kind: 'unknown' };
export const noOutput: Output = { kind: 'text', text: '' };

export function text(value: string): TextWord {
  return { kind: 'text', text: value };
}

export function unknown(
  written: string,
  more: Partial<Omit<UnknownWord, 'kind' | 'written'>> = {},
): UnknownWord {
  return { kind: 'unknown', start: '', count: 'one', written, ...more };
}

/** The text of a word that has exactly one; null for others. */
export function textOf(word: Word | undefined): string | null {
  return word?.kind === 'text' ? word.text : null;
}

/** How every argument that the word stands for is known to begin. */
export function startOf(word: Word): string {
  if (word.kind === 'text') return word.text;
  return word.kind === 'names' ? word.before : word.start;
}

/** As it is written, for people. */
export function writtenAs(word: Word): string {
  if (word.kind === 'text') return word.text;
  return word.kind === 'names' ? `${word.before}…${word.after}` : word.written;
}
