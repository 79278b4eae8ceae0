import {
  areSeveral,
  isAnyNumber,
  isMany,
  type NumberOutput,
  type Output,
  onlyNames,
  textOf,
  type UnknownWord,
  unknown,
  unknownOutput,
  type Word,
} from './word.js';

/** What a word prints that is a number. */
export function numberOutput(word: UnknownWord): NumberOutput {
  const areMany = areSeveral(word) || word.mayBeLines === true;
  return {
    kind: 'number',
    ...(isMany(word) && { mayBeMissing: true }),
    ...(areMany && { areMany }),
    ...(word.mayBeNegative && { mayBeNegative: true }),
  };
}

/** The word of an output that is a number. */
export function numberWord(
  { mayBeMissing, areMany, mayBeNegative }: NumberOutput,
  written: string,
): UnknownWord {
  return unknown(written, {
    isNumber: true,
    count: areMany || mayBeMissing ? 'many' : 'one',
    ...(!areMany && mayBeMissing && { isOne: true }),
    ...(mayBeNegative && { mayBeNegative }),
  });
}

/** Whether it begins with a number that may be negative. */
export function isSigned(word: Word): boolean {
  return word.kind === 'unknown' && word.mayBeNegative === true;
}

/** The whole numbers that `seq` prints; only their kind where they are many. */
export function sequenceOf(words: readonly Word[]): Output {
  const texts = words.map(textOf);
  const areNumbers = words.every(
    (word, at) => isAnyNumber(word) || /^(?:\d{1,9}|-[1-9]\d{0,8})$/.test(texts[at] ?? ''),
  );
  if (!areNumbers || words.length === 0 || words.length > 3) return unknownOutput;
  const given = texts.map((each) => (each === null ? Number.NaN : Number(each)));
  const [start = 1, step = 1, end = Number.NaN] =
    given.length === 3 ? given : given.length === 2 ? [given[0], 1, given[1]] : [1, 1, given[0]];
  const count = step === 0 ? Number.NaN : Math.floor((end - start) / step) + 1;
  // A text that begins with a dash may be an option.
  const mayBeNegative = start < 0 || end < 0 || words.some(isSigned);
  if (!(count <= mostNumbers) || mayBeNegative)
    return { kind: 'number', areMany: true, ...(mayBeNegative && { mayBeNegative }) };
  const all = Array.from({ length: Math.max(0, count) }, (_, at) => String(start + at * step));
  return { kind: 'names', names: onlyNames(all), separator: '\n' };
}

const mostNumbers = 200;
