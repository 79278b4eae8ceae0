import {
  isAnyNumber,
  type Names,
  namesWord,
  onlyNames,
  textOf,
  textsIn,
  type UnknownWord,
  underOf,
  unknown,
  type Word,
} from './word.js';

/** One of these words. */
export function oneOf(words: readonly Word[]): Word {
  const texts: string[] = [];
  const unders = new Set<string | null>();
  for (const word of words) {
    texts.push(...textsIn(word));
    if (word.kind === 'names' && word.names.open) unders.add(underOf(word));
    if (word.kind === 'unknown') {
      return unknown(word.written, {
        start: words.length === 1 ? word.start : '',
        ...numberAmong(words),
        ...(words.length === 1 && word.isPlain && { isPlain: true }),
        ...(words.length === 1 && word.shape !== undefined && { shape: word.shape }),
        ...(words.length === 1 && word.afterId !== undefined && { afterId: word.afterId }),
        ...(words.length === 1 && word.ids && { ids: word.ids }),
        ...(word.mayBeLines && { mayBeLines: true }),
      });
    }
  }
  const [under = null] = unders.size === 1 ? unders : [];
  const names: Names = { texts: [...new Set(texts)], open: unders.size > 0, under };
  const [only] = names.texts;
  if (only !== undefined && names.texts.length === 1 && !names.open) return { kind: 'text', text: only };
  return namesWord(names);
}

/** Any number of these words. */
export function asMany(words: readonly Word[]): Word {
  const word = oneOf(words);
  return word.kind === 'text' ? namesWord(onlyNames([word.text]), 'many') : { ...word, count: 'many' };
}

/** What is known of one of these numbers; null if another word is among them. */
export function numberAmong(words: readonly (Word | undefined)[]): Partial<UnknownWord> | null {
  const others = words.filter((word) => !/^(?:0|[1-9]\d{0,17})$/.test(textOf(word) ?? ''));
  if (!others.every(isAnyNumber)) return null;
  return {
    isNumber: true,
    ...(others.some(({ mayBeNegative }) => mayBeNegative) && { mayBeNegative: true }),
    ...(others.some(({ mayBeLines }) => mayBeLines) && { mayBeLines: true }),
  };
}
