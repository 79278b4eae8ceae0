import type { NamesWord, UnknownWord } from '../../src/word.js';

/** A word that stands for several names. */
export function names(texts: readonly string[], more: Partial<NamesWord> = {}): NamesWord {
  return {
    kind: 'names',
    before: '',
    names: { texts, open: false, under: null },
    after: '',
    count: 'many',
    ...more,
  };
}

/** A word that is unknown until the line runs. */
export function unknown(written: string, more: Partial<UnknownWord> = {}): UnknownWord {
  return { kind: 'unknown', start: '', count: 'one', written, ...more };
}
