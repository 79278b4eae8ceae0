import { posix } from 'node:path';
import type { Effect } from '../effect.js';
import {
  isAnyNumber,
  isMany,
  isOpen,
  linesIn,
  type Names,
  noOutput,
  type Output,
  onlyNames,
  textOf,
  textsIn,
  unknownOutput,
  type Word,
} from '../word.js';
import type { Print } from './entry/entry.js';
import { changed, type Edit, editOf, fieldOf } from './language/lines.js';
import { type AssignedOperand, holds } from './operands.js';
import type { Reading } from './reading.js';

export interface Given {
  readonly reading: Reading;
  readonly operands: readonly AssignedOperand[];
  readonly effects: readonly Effect[];
  readonly input: Output;
  /** Its folder, real; null if unknown. */
  readonly folder: string | null;
}

/** The first statement of an entry that says what is printed; null if it may not hold. */
function printOf(prints: readonly Print[], reading: Reading): Print | null {
  const print = prints.find((each) => holds(each, reading) !== 'no');
  return print !== undefined && holds(print, reading) === 'yes' ? print : null;
}

/** Whether all that it prints is what the command prints that it runs. */
export function printsOfCommand(prints: readonly Print[], reading: Reading): boolean {
  return printOf(prints, reading)?.what === 'command';
}

/** The standard output of a program, by its entry. */
export function outputOf(prints: readonly Print[], given: Given): Output {
  const print = printOf(prints, given.reading);
  switch (print?.what) {
    case 'nothing':
      return noOutput;
    case 'number':
      return { kind: 'number' };
    case 'names':
      return { kind: 'names', names: namesOf(given.operands), separator: '\n' };
    case 'content':
      return contentOf(given);
    case 'input':
      return linesOf(given);
    case 'end': {
      const lines = linesOf(given);
      return lines.kind === 'names' && isOne(given) ? { ...lines, isOne: true } : lines;
    }
    case 'edited':
      return editedLines(editOf(textOf(given.reading.operands[0]) ?? ''), given);
    case 'format':
      return /^%[aghisuXYZ]$/.test(onlyValue(print.options[0] ?? '', given))
        ? { kind: 'number' }
        : unknownOutput;
    case 'sequence':
      return sequenceOf(given.reading.words);
    case 'numbered': {
      const { operands } = given.reading;
      return operands.length > 2 || operands.some(isMany)
        ? unknownOutput
        : { kind: 'unknown', isNumbered: true };
    }
    case 'fields':
      if (isFirstNumber(print.options, given)) return { kind: 'number', mayBeMissing: true };
      return editedLines(fieldOf(print.options.map((name) => onlyValue(name, given))), given);
    case 'command':
    case 'unknown':
    case undefined:
      return unknownOutput;
  }
}

/** All of the only file that it reads. */
function contentOf({ effects: [only, ...others], reading, folder }: Given): Output {
  const path = only?.kind === 'path' && only.folder === undefined ? textOf(only.word) : null;
  const isOne = path !== null && others.length === 0 && reading.operands.length === 1;
  return isOne && folder !== null ? { kind: 'unknown', file: posix.resolve(folder, path) } : unknownOutput;
}

/** Whether it prints one line at most: `-1`, or a single option with the value 1. */
function isOne({ reading: { options, words } }: Given): boolean {
  const value = textOf(options[0]?.values[0]);
  return options.length === 1 && (value === '1' || (words.length === 1 && textOf(words[0]) === '-1'));
}

/** The whole numbers that `seq` prints; the first ones alone where they are many. */
function sequenceOf(words: readonly Word[]): Output {
  const texts = words.map(textOf);
  const areNumbers = words.every(
    (word, at) => isAnyNumber(word) || /^(?:\d{1,9}|-[1-9]\d{0,8})$/.test(texts[at] ?? ''),
  );
  if (!areNumbers || words.length === 0 || words.length > 3) return unknownOutput;
  const given = texts.map((each) => (each === null ? Number.NaN : Number(each)));
  const [start = 1, step = 1, end = Number.NaN] =
    given.length === 3 ? given : given.length === 2 ? [given[0], 1, given[1]] : [1, 1, given[0]];
  const count = step === 0 ? Number.NaN : Math.floor((end - start) / step) + 1;
  // Each of these texts may be an option where it begins with a dash.
  if (!(count <= mostNumbers) || start < 0 || end < 0) return { kind: 'number', mayBeMissing: true };
  const all = Array.from({ length: Math.max(0, count) }, (_, at) => String(start + at * step));
  return { kind: 'names', names: onlyNames(all), separator: '\n' };
}

const mostNumbers = 200;

/** Whether `cut` keeps the numbers alone with which the lines of `grep -n` begin. */
function isFirstNumber([delimiter = '', field = '']: readonly string[], given: Given): boolean {
  const lines = linesOf(given);
  const isNumbered = lines.kind === 'unknown' && lines.isNumbered === true;
  return isNumbered && onlyValue(delimiter, given) === ':' && onlyValue(field, given) === '1';
}

/** The value of an option that is given once; otherwise empty. */
function onlyValue(name: string, { reading }: Given): string {
  const [only, ...others] = reading.options.filter(({ entry }) => entry.names.includes(name));
  return others.length > 0 ? '' : (textOf(only?.values[0]) ?? '');
}

function editedLines(edit: Edit | null, given: Given): Output {
  const lines = linesOf(given);
  const names = lines.kind === 'names' && edit !== null ? changed(edit, lines.names) : null;
  return lines.kind === 'names' && names !== null ? { ...lines, names } : unknownOutput;
}

/** Some lines of the input, unchanged. */
function linesOf({ input, effects, reading }: Given): Output {
  if (effects.length > 0 || reading.open !== null) return unknownOutput;
  if (input.kind === 'ids') return input;
  if (input.kind === 'names') return input.separator === '\n' ? input : unknownOutput;
  if (input.kind === 'unknown' && input.isNumbered === true) return input;
  if (input.kind !== 'text') return unknownOutput;
  if (input.text === '') return noOutput;
  const [names, mayRunOn] = [onlyNames(linesIn(input.text)), !input.text.endsWith('\n')];
  return { kind: 'names', names, separator: '\n', ...(mayRunOn && { mayRunOn }) };
}

/** The paths among its operands, as written. */
function namesOf(operands: readonly AssignedOperand[]): Names {
  const words = operands
    .filter(({ roles }) => roles.some(({ kind }) => kind === 'path'))
    .flatMap((each) => each.words);
  return { texts: words.flatMap(textsIn), open: words.some(isOpen), under: null };
}
