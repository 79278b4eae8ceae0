import { asMany } from '../alternatives.js';
import { isMany, type UnknownWord, type Word } from '../word.js';

/** The elements of an array. One that is `many` stands for any number of them, in any order. */
export type Elements = readonly Word[];

/** The elements of both, any number of them in any order: the same list where one has them all. */
export function elementsOfBoth(one: Elements, other: Elements): Elements {
  const all = asMany([...one, ...other]);
  return [one, other].find((each) => isOnly(each, all)) ?? [all];
}

/** Whether the words are a single one with the same meaning. */
function isOnly([only, ...others]: Elements, all: Word): boolean {
  if (only === undefined || others.length > 0 || only.kind === 'text' || all.kind === 'text') return false;
  if (only.count !== 'many' || only.kind !== all.kind) return false;
  if (only.kind === 'names' && all.kind === 'names')
    return (
      only.names.texts.length === all.names.texts.length &&
      only.names.under === all.names.under &&
      only.names.open === all.names.open &&
      only.before + only.after === ''
    );
  return only.kind === 'unknown' && all.kind === 'unknown' && isSameUnknown(only, all);
}

/** Whether the same is known of two unknown words. */
export function isSameUnknown(one: UnknownWord, other: UnknownWord): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.count === other.count &&
    one.isNumber === other.isNumber &&
    one.isJob === other.isJob &&
    one.mayBeNegative === other.mayBeNegative &&
    one.mayBeLines === other.mayBeLines &&
    one.shape === other.shape &&
    one.lines === other.lines &&
    one.isPlain === other.isPlain &&
    one.afterId === other.afterId &&
    one.ids === other.ids
  );
}

/** The elements with another value for the one with this number; null stands for an unknown number. */
export function withElement(elements: Elements, index: number | null, value: Word): Elements {
  if (elements.some(isMany) || index === null || index < 0 || index > elements.length)
    return elementsOfBoth(elements, [value]);
  return [...elements.slice(0, index), value, ...elements.slice(index + 1)];
}
