import type { Access, Effect, PathEffect } from '../effect.js';
import { optionsNamed, type Reading } from '../programs/reading.js';
import { isMany, perhapsNone, text, textOf, type Word } from '../word.js';

export function has({ given }: Reading, names: string): boolean {
  return names.split(/\s+/).some((name) => given.has(name));
}

/** The values of these options, in the order in which they are given. */
export function valuesOf(reading: Pick<Reading, 'options'>, names: string): readonly Word[] {
  return optionsNamed(reading, names).flatMap(({ values }) => values);
}

/** The last given number; the default if there is none or it is unknown. */
export function numberOf(reading: Reading, names: string, otherwise = Number.POSITIVE_INFINITY): number {
  const word = valuesOf(reading, names).at(-1);
  const text = textOf(word) ?? '';
  return /^\d+$/.test(text) ? Number(text) : otherwise;
}

/** Whether only these options are given, so that the output is known. */
export function hasOnly({ options, open }: Reading, names: string): boolean {
  const known = new Set(names.split(/\s+/));
  return open === null && options.every(({ entry }) => entry.names.some((name) => known.has(name)));
}

/** The program touches the files that words name. With `hasDash`, `-` means a standard stream. */
export function pathEffects(access: Access, words: readonly Word[], more: PathMore = {}): readonly Effect[] {
  const { hasDash = false, ...rest } = more;
  const named = words.filter((word) => textOf(word) !== '' && !(hasDash && textOf(word) === '-'));
  return named.map((word): Effect => ({ kind: 'path', access, word, by: 'program', ...rest }));
}

/** The operands after the pattern. A word of several arguments is more than the pattern. */
export function afterPattern(operands: readonly Word[]): readonly Word[] {
  const [first] = operands;
  return first !== undefined && isMany(first) ? operands.map(perhapsNone) : operands.slice(1);
}

export function mayBeNone(operands: readonly Word[]): boolean {
  return operands.every((word) => isMany(word) && !(word.kind === 'names' && word.isSome === true));
}

/** Words, and the program's folder if there may be no word. */
export function orHere(words: readonly Word[]): readonly Word[] {
  return mayBeNone(words) ? [...words, text('.')] : words;
}

interface PathMore extends Partial<Omit<PathEffect, 'kind' | 'access' | 'word' | 'by'>> {
  readonly hasDash?: boolean;
}
