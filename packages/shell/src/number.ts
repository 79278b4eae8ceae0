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

/** In shapes, a number, which may have a sign; `perhapsNumber` also for nothing, and for several lines. */
export const anyNumber = '\ue001';
export const perhapsNumber = '\ue002';
/** A mark, or a letter of a name that `mktemp` chooses. No line has one. */
export const marks = /[\ue000-\ue002]/;

/** The shape of a word; undefined where it has other unknown parts. */
export function shapeOf(word: Word): string | undefined {
  if (word.kind !== 'unknown') return undefined;
  const isOne = word.count === 'one' && word.mayBeLines !== true && word.isJob !== true;
  if (word.isNumber === true) return isOne ? anyNumber : perhapsNumber;
  return word.shape;
}

/** Two of its texts, from which each differs in whole numbers alone. That of a program that failed is missing. */
export function likesOf({ shape }: { readonly shape?: string }): readonly string[] | undefined {
  return shape === undefined ? shape : ['1', ''].map((one) => withNumber(shape, one));
}

/** A shape with a text for each mark. */
export function withNumber(shape: string, one: string): string {
  return shape.replace(/[\ue001\ue002]/g, one);
}

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
export function sequenceOf(given: readonly Word[]): Output {
  const words = given.filter((word) => !/^(?:-w|--equal-width)$/.test(textOf(word) ?? ''));
  const isPadded = words.length < given.length;
  const texts = words.map(textOf);
  const areNumbers = words.every(
    (word, at) => isAnyNumber(word) || /^(?:\d{1,9}|-[1-9]\d{0,8})$/.test(texts[at] ?? ''),
  );
  if (!areNumbers || words.length === 0 || words.length > 3) return unknownOutput;
  const numbers = texts.map((each) => (each === null ? Number.NaN : Number(each)));
  const [start = 1, step = 1, end = Number.NaN] =
    numbers.length === 3 ? numbers : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : [1, 1, numbers[0]];
  const count = step === 0 ? Number.NaN : Math.floor((end - start) / step) + 1;
  // A text that begins with a dash may be an option.
  const mayBeNegative = start < 0 || end < 0 || words.some(isSigned);
  if (!(count <= mostNumbers) || mayBeNegative)
    return isPadded
      ? unknownOutput
      : { kind: 'number', areMany: true, ...(mayBeNegative && { mayBeNegative }) };
  const width = isPadded ? Math.max(...[texts[0], texts.at(-1)].map((each) => each?.length ?? 0)) : 0;
  const all = Array.from({ length: Math.max(0, count) }, (_, at) =>
    String(start + at * step).padStart(width, '0'),
  );
  return { kind: 'names', names: onlyNames(all), separator: '\n' };
}

const mostNumbers = 200;
