/** One or several arguments of a command after expansion, as far as they are known before it runs. */
export type Word = TextWord | NamesWord | UnknownWord;

/** Exactly one argument of this text. */
export interface TextWord {
  readonly kind: 'text';
  readonly text: string;
  /** Whether it is one of several files that a pattern matches: their order depends on the locale. */
  readonly isMatched?: true;
}

/** Names from a listing, each with the same prefix and suffix: `"$f.bak"` in a loop over names. */
export interface NamesWord {
  readonly kind: 'names';
  readonly before: string;
  readonly names: Names;
  readonly after: string;
  /** `one`: a single argument, each name in turn. `many`: any number of arguments, also zero. */
  readonly count: 'one' | 'many';
  /** Whether `many` are at most one: in quotes, it is one of the names or empty. */
  readonly isOne?: true;
  /** Whether `many` are at least one. */
  readonly isSome?: true;
  /** Whether `many` are one if the command that printed them succeeded. */
  readonly isSure?: true;
}

export interface UnknownWord {
  readonly kind: 'unknown';
  /** Its known beginning. */
  readonly start: string;
  /** The known end of each of its texts. */
  readonly end?: string;
  /** `one`: exactly one argument. `many`: any number, also zero. */
  readonly count: 'one' | 'many';
  /** Whether it consists of digits, and begins with 0 only where it is 0: it is an option only where it may be negative. */
  readonly isNumber?: true;
  /** Whether that is the id of a process which the shell started, `$!`. */
  readonly isJob?: true;
  /** Whether a number with which it begins may have a sign: `-9`. */
  readonly mayBeNegative?: true;
  /** Whether `many` are at most one. */
  readonly isOne?: true;
  /** Whether it may be several lines, or empty: without quotes, it is many words. */
  readonly mayBeLines?: true;
  /** What it is with a mark for each number in it. */
  readonly shape?: string;
  /** Whether it is neither an option nor split nor a pattern: it begins with a letter, digit, `_` or dot, without blanks. */
  readonly isPlain?: true;
  /** The rest of a plain word behind the id of a commit, with which it begins. */
  readonly afterId?: string;
  /** All ids that it may begin with, if they are known. */
  readonly ids?: readonly string[];
  /** The lines that it consists of, perhaps none: `"$x"` after `x=$(grep -rl a src)`. */
  readonly lines?: Output;
  /** What the pipe gives that it names, which bash opened for `<(…)`: reading it touches no file. */
  readonly gives?: Output;
  /** Whether that pipe is for writing, `>(…)`. */
  readonly takes?: true;
  /** As it is written, for people. */
  readonly written: string;
}

/** A superset of the texts from a pattern, a listing or a loop. */
export interface Names {
  /** In the given order. Relative ones belong to the folder in which they are used. */
  readonly texts: readonly string[];
  /** Whether other texts are possible. */
  readonly open: boolean;
  /** The folder that contains every other one, without a trailing slash; null if unknown. */
  readonly under: string | null;
}

/** The folder that contains each unknown name with the text around it; null if unknown. */
export function underOf({
  before,
  names,
  after,
}: Pick<NamesWord, 'before' | 'names' | 'after'>): string | null {
  // Text after a name may lead to a file beside it, and `..` anywhere.
  const isBelow = before === '' && /^(?:$|\/(?!(?:.*\/)?\.\.(?:\/|$)))/s.test(after);
  return isBelow ? names.under : null;
}

/** The content of a standard output or a standard input. */
export type Output =
  | { readonly kind: 'text'; readonly text: string; readonly isResult?: true }
  /**
   * Each on a line, or each ended by NUL. `isOne`: one of them at most. `mayRunOn`: the last may lack its end.
   * `isResult`, also of a
   * text: a command that fails prints nothing.
   */
  | {
      readonly kind: 'names';
      readonly names: Names;
      readonly separator: '\n' | '\0';
      readonly isOne?: true;
      readonly mayRunOn?: true;
      readonly isResult?: true;
      /** Whether it is a result, and a command that succeeds prints one. */
      readonly isSure?: true;
    }
  | NumberOutput
  | WordsOutput
  | Table
  /**
   * `mayBeFolder`: the standard input may be a folder or a device, which a search takes for none. `file`: it is all of
   * this file. `linesOf`: it consists of lines of these files. `isEmpty`: a device without content.
   */
  | {
      readonly kind: 'unknown';
      readonly mayBeFolder?: true;
      readonly file?: string;
      readonly linesOf?: readonly string[];
      readonly isEmpty?: true;
    };

/** A whole number and a line feed. */
export interface NumberOutput {
  readonly kind: 'number';
  /** Whether there may be nothing. */
  readonly mayBeMissing?: true;
  /** Whether there may be nothing, or several such lines. */
  readonly areMany?: true;
  readonly mayBeNegative?: true;
}

/** Plain words, each on a line. */
export interface WordsOutput {
  readonly kind: 'words';
  /** Whether they are ids of commits, perhaps shortened. */
  readonly areIds?: true;
  /** All that may be among them, if they are known. */
  readonly ids?: readonly string[];
  /** What each is with a mark for each number in it. */
  readonly shape?: string;
  /** Whether there is one at most. */
  readonly isOne?: true;
  /** Whether a line may have several of them, with blanks between. */
  readonly areSeveral?: true;
}

/** Lines with columns, as `grep -n` and `wc` print them. */
export interface Table {
  readonly kind: 'table';
  /** The first columns. None has a separator or, if that is one, another blank. */
  readonly columns: readonly Column[];
  /** The possible rests of a line; null if the rest is unknown. */
  readonly rest: Names | null;
  /** The character that ends each column; null for any number of blanks. */
  readonly separator: string | null;
  /** The number of the character with which the rest begins, from 1, where it is the same in each line. */
  readonly restAt?: number;
  /** Whether a tab stands before the rest, and no other one in a line. */
  readonly isTabbed?: true;
  /** Whether the last line may lack its end. */
  readonly mayRunOn?: true;
  /** Whether there is one line at most. */
  readonly isOne?: true;
  /** Whether at most plain words follow the columns. */
  readonly isWhole?: true;
  /** Whether its unknown texts may hold backslashes. */
  readonly mayEscape?: true;
  /** The kind of the last word of each line, if known. */
  readonly last?: Column;
}

/**
 * In each line one of these names, a whole number, the id of a commit, a plain word, plain words, or a text that is
 * unknown. `perhaps-number`: a line may end before it.
 */
export type Column = Names | 'number' | 'perhaps-number' | 'id' | 'plain' | 'words' | 'text';

/**
 * Stands for each letter of a name that `mktemp` chooses: `X` in capabilities. No line has it. Only whole names are known:
 * what takes a part of one, or compares it, gets an unknown text.
 */
export const freshLetter = '\ue000';

export function hasFreshLetter(value: Word | Output): boolean {
  if (value.kind === 'text') return value.text.includes(freshLetter);
  const columns = value.kind === 'table' ? [value.rest, ...value.columns] : [];
  const names = value.kind === 'names' ? [value.names] : columns;
  return names.some(
    (each) => typeof each === 'object' && each?.texts.some((text) => text.includes(freshLetter)),
  );
}

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

/** The word for one of these lines. */
export function plainWord({ areIds, ids, areSeveral, shape }: WordsOutput, written: string): UnknownWord {
  const more = {
    ...(shape !== undefined && !areSeveral && { shape }),
    ...(areIds && { afterId: '' }),
    ...(ids && { ids }),
    ...(areSeveral && { mayBeLines: true as const }),
  };
  return unknown(written, { isPlain: true, ...more });
}

/** The text of a word that has exactly one; null for others. */
export function textOf(word: Word | undefined): string | null {
  return word?.kind === 'text' ? word.text : null;
}

/** Whether it is `<(…)` or `>(…)`. Only a program that reads or writes the word as a file gets what it expects. */
export function isPipe(word: Word): word is UnknownWord {
  return word.kind === 'unknown' && word.gives !== undefined;
}

/** The known beginning of every argument of the word. */
export function startOf(word: Word): string {
  if (word.kind === 'text') return word.text;
  return word.kind === 'names' ? word.before : word.start;
}

/** These names and no others. */
export function onlyNames(texts: readonly string[]): Names {
  return { texts, open: false, under: null };
}

export function namesWord(names: Names, count: NamesWord['count'] = 'one'): NamesWord {
  return { kind: 'names', before: '', names, after: '', count };
}

/** The texts of a word, as far as they are known. */
export function textsIn(word: Word): readonly string[] {
  if (word.kind === 'text') return [word.text];
  return word.kind === 'unknown' ? [] : word.names.texts.map((name) => word.before + name + word.after);
}

/** The names of a word with what stands before and after them. */
export function wholeNames(word: NamesWord): Names {
  return { ...word.names, texts: textsIn(word), under: underOf(word) };
}

/** Whether the word may be zero or several arguments. */
export function isMany(word: Word): word is NamesWord | UnknownWord {
  return word.kind !== 'text' && word.count === 'many';
}

/** Whether the word may be several arguments. */
export function areSeveral(word: Word): boolean {
  return isMany(word) && word.isOne !== true;
}

/** The same where one of its arguments may be taken away: by `shift`, or as a pattern. */
export function perhapsNone(word: Word): Word {
  if (word.kind !== 'names') return word;
  const { isSome: _, ...rest } = word;
  return rest;
}

/** Whether its neighbour may stand in its place: it may be several words, or the locale sorts it among others. */
export function mayMove(word: Word): boolean {
  return isMany(word) || (word.kind === 'text' && word.isMatched === true);
}

/** Whether other texts are possible. */
export function isOpen(word: Word): boolean {
  return word.kind === 'unknown' || (word.kind === 'names' && word.names.open);
}

/** Whether it consists of digits that are unknown, perhaps behind a sign. */
export function isAnyNumber(word: Word | undefined): word is UnknownWord & { readonly isNumber: true } {
  return word?.kind === 'unknown' && word.isNumber === true;
}

export function writtenAs(word: Word): string {
  if (word.kind === 'text') return word.text;
  return word.kind === 'names' ? `${word.before}…${word.after}` : word.written;
}
