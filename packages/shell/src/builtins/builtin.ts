import { Outside } from '../state/outside.js';
import type { Scope } from '../state/scope.js';
import { type Output, textOf, type Word, writtenAs } from '../word.js';

/** What a builtin does with the words after its name. Throws `Outside` for words that are not described. */
export type Builtin = (words: readonly Word[], scope: Scope) => Output;

export function notDescribed(name: string, words: readonly Word[]): Outside {
  return new Outside(`this use of \`${name}\` is not described`, [name, ...words.map(writtenAs)].join(' '));
}

/** The texts of words that are all known. */
export function textsOf(name: string, words: readonly Word[]): readonly string[] {
  return words.map((word) => {
    const text = textOf(word);
    if (text === null) throw notDescribed(name, words);
    return text;
  });
}
