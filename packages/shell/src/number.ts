import { areSeveral, isMany, type NumberOutput, type UnknownWord, unknown } from './word.js';

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
