import type { Effect } from '../effect.js';
import { type Names, noOutput, type Output, textOf, unknownOutput, type Word } from '../word.js';
import type { Print } from './entry/entry.js';
import { editedLines } from './language/lines.js';
import { type AssignedOperand, holds } from './operands.js';
import type { Reading } from './reading.js';

/** The arguments of a program. */
export interface Given {
  readonly reading: Reading;
  readonly operands: readonly AssignedOperand[];
  /** The effects of its operands. */
  readonly effects: readonly Effect[];
  readonly input: Output;
}

/** The standard output of a program, by the first matching statement of its entry. */
export function outputOf(prints: readonly Print[], given: Given): Output {
  const print = prints.find((each) => holds(each, given.reading) !== 'no');
  if (print === undefined || holds(print, given.reading) !== 'yes') return unknownOutput;
  switch (print.what) {
    case 'nothing':
      return noOutput;
    case 'number':
      return { kind: 'number' };
    case 'names':
      return { kind: 'names', names: namesOf(given.operands), separator: '\n' };
    case 'input':
    case 'end': {
      const lines =
        given.effects.length === 0 && given.reading.open === null ? linesOf(given) : unknownOutput;
      return lines.kind === 'names' && print.what === 'end' && isOne(given)
        ? { ...lines, isOne: true }
        : lines;
    }
    case 'edited': {
      const lines = given.effects.length === 0 && given.reading.open === null ? linesOf(given) : null;
      const names = lines?.kind === 'names' ? editedLines(given.reading, lines.names) : null;
      return lines?.kind === 'names' && names !== null ? { ...lines, names } : unknownOutput;
    }
    case 'unknown':
      return unknownOutput;
  }
}

/** Whether it prints one line at most, of the start or the end of its input. */
function isOne({ reading }: Given): boolean {
  return /^(?:-1|-n ?1|--lines[= ]1)$/.test(reading.words.map((word) => textOf(word) ?? '').join(' '));
}

/** Some lines of the input, unchanged. */
function linesOf({ input, reading }: Given): Output {
  const isNul = ['-z', '--zero-terminated', '--null-data'].some((name) => reading.given.has(name));
  const separator = isNul ? '\0' : '\n';
  if (input.kind === 'ids') return isNul ? unknownOutput : input;
  if (input.kind === 'names') return input.separator === separator ? input : unknownOutput;
  if (input.kind !== 'text' || separator !== '\n') return unknownOutput;
  if (input.text === '') return noOutput;
  const texts = input.text.replace(/\n$/, '').split('\n');
  return { kind: 'names', names: { texts, open: false, under: null }, separator };
}

/** The paths among its operands, as written. */
function namesOf(operands: readonly AssignedOperand[]): Names {
  const words = operands
    .filter(({ roles }) => roles.some(({ kind }) => kind === 'path'))
    .flatMap((each) => each.words);
  const texts = words.flatMap(textsOf);
  const open = words.some((word) => word.kind === 'unknown' || (word.kind === 'names' && word.names.open));
  return { texts, open, under: null };
}

function textsOf(word: Word): readonly string[] {
  if (word.kind === 'text') return [word.text];
  return word.kind === 'unknown' ? [] : word.names.texts.map((name) => `${word.before}${name}${word.after}`);
}
