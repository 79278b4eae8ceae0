import type { Effect } from '../effect.js';
import type { Word } from '../word.js';

/** The effects of a word, or a text that says why they are unknown. Then the whole command is unknown. */
export type Effects = readonly Effect[] | string;

/** The effects of all words, or the reason why one is unknown. */
export function together(parts: Iterable<Effects>): Effects {
  const effects: Effect[] = [];
  for (const part of parts) {
    if (typeof part === 'string') return part;
    effects.push(...part);
  }
  return effects;
}

/** What a text does in a language, by the names of languages after `code:` in the table. */
export type Languages = Readonly<Record<string, (written: Word, around: Around) => Effects>>;

/** The place of a text in another language. */
export interface Around {
  /** The base of relative paths; null for the folder in which the program was started. */
  readonly folder: Word | null;
  /** Who touches an output: the program, or the argument that names it. */
  readonly by: 'program' | 'argument';
  /** The options of the command, each as often as it is given. */
  readonly reading?: {
    readonly options: readonly { readonly entry: { readonly names: readonly string[] } }[];
    /** Their names, and those of the options of the commands above it. */
    readonly given: ReadonlySet<string>;
  };
}
