import { posix } from 'node:path';
import { ownMember } from '@ambit/core';
import { columnOf, countedLines, linesWith, restBehind } from '../columns.js';
import type { Effect } from '../effect.js';
import { sequenceOf } from '../number.js';
import { isNothing, outputOfOne, repeatedOutput, someOf } from '../outputs.js';
import {
  isMany,
  isOpen,
  type Names,
  noOutput,
  type Output,
  startOf,
  textOf,
  textsIn,
  unknownOutput,
  type Word,
} from '../word.js';
import type { Print } from './entry/entry.js';
import { formattedBy, locatedIn, sumsOf, timeOf } from './formats.js';
import {
  choosesLines,
  type Edit,
  editLines,
  editOf,
  fieldOf,
  numbersByAwk,
  printedByAwk,
  translationOf,
} from './language/lines.js';
import { type AssignedOperand, holds, pathWords } from './operands.js';
import { optionsNamed, type Reading } from './reading.js';

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

/** Whether it prints all output of the command that it runs, or the beginning, and nothing else; null otherwise. */
export function printsOfCommand(prints: readonly Print[], reading: Reading): 'all' | 'beginning' | null {
  const what = printOf(prints, reading)?.what;
  return what === 'command' ? 'all' : what === 'beginning' ? what : null;
}

/** The standard output of a program, by its entry. */
export function outputOf(prints: readonly Print[], given: Given): Output {
  const print = printOf(prints, given.reading);
  const values = print?.options.map((name) => onlyValue(name, given)) ?? [];
  return ownMember(printers, print?.what ?? '')?.(given, values) ?? unknownOutput;
}

/** What is printed by what an entry says of it, and by the values of the options that it names. Unknown for others. */
const printers: Readonly<Record<string, (given: Given, values: readonly (string | null)[]) => Output>> = {
  nothing: () => noOutput,
  number: () => ({ kind: 'number' }),
  word: () => ({ kind: 'words', isOne: true }),
  time: ({ reading }) => timeOf(reading),
  names: ({ operands }) => ({ kind: 'names', names: namesOf(operands), separator: '\n' }),
  content: contentOf,
  all: (given) => (given.input.kind === 'text' && given.reading.open === null ? given.input : linesOf(given)),
  input: linesOf,
  end: endOf,
  edited: editedBy,
  translated: translate,
  format: ({ operands, reading }, [format = null]) =>
    formattedBy(format, namesOf(operands), reading.operands.length === 1 && !reading.operands.some(isMany)),
  located: ({ operands }) => locatedIn(namesOf(operands)),
  sums: ({ operands }) => sumsOf(namesOf(operands)),
  sequence: ({ reading }) => sequenceOf(reading.words),
  numbered: ({ reading: { operands } }) =>
    operands.length > 2 || operands.some(isMany)
      ? unknownOutput
      : { kind: 'table', columns: ['number'], rest: null, separator: ':' },
  common: commonLines,
  counts: countsOf,
  counted: (given) => countedLines(linesOf(given)),
  fields: cutFrom,
  characters: charactersFrom,
  columns: columnsOf,
};

/** All of the files that it reads. */
function contentOf(given: Given): Output {
  const files = filesOf(given);
  return files.length === 1 ? { kind: 'unknown', file: files[0] ?? '' } : linesOfFiles(files);
}

function linesOfFiles(files: readonly string[]): Output {
  return files.length === 0 ? unknownOutput : { kind: 'unknown', linesOf: files };
}

/** Its operands, if it only reads these files; none otherwise. */
function filesOf({ effects, reading: { open, operands }, folder }: Given): readonly string[] {
  const paths = effects.map((each) =>
    each.kind === 'path' && each.access === 'read' && each.folder === undefined ? textOf(each.word) : null,
  );
  if (folder === null || open !== null || operands.length !== effects.length) return [];
  return paths.includes(null) ? [] : paths.map((path) => posix.resolve(folder, path ?? ''));
}

/** `head`, `tail`. */
function endOf(given: Given): Output {
  const lines = linesOf(given);
  if (lines.kind === 'text' || lines.kind === 'unknown' || !isOne(given)) return lines;
  if (lines.kind !== 'number') return { ...lines, isOne: true };
  const { areMany: _, ...line } = lines;
  return line;
}

/** Whether it prints one line at most: `-1`, or a single option with the value 1. */
function isOne({ reading: { options, words } }: Given): boolean {
  const value = textOf(options[0]?.values[0]);
  return options.length === 1 && (value === '1' || (words.length === 1 && textOf(words[0]) === '-1'));
}

/** Each count that `wc` may print before a name. */
const counts = ['-l --lines', '-w --words', '-m --chars', '-c --bytes'].map((names) => names.split(' '));

/** `wc`: counts, and behind them names with a total. Without a file, there is no name. */
function countsOf({ operands, reading }: Given): Output {
  const chosen = counts.filter((names) => names.some((name) => reading.given.has(name))).length;
  if (reading.operands.length === 0) return chosen === 1 ? { kind: 'number' } : unknownOutput;
  const { texts, open } = namesOf(operands);
  // It puts such a name in quotes.
  if (texts.some((name) => name.includes('\n'))) return unknownOutput;
  const isSure = reading.operands.some((word) => !isMany(word));
  const rest = { texts: [...texts, 'total', ...(isSure ? [] : [''])], open, under: null };
  return { kind: 'table', columns: Array(chosen || counts.length - 1).fill('number'), rest, separator: null };
}

/** `comm -23 <(A) <(B)`: lines of the first pipe, of the second, or of both. */
function commonLines(given: Given): Output {
  const { operands, given: options } = given.reading;
  const [column, ...others] = ['-1', '-2', '-3'].filter((name) => !options.has(name));
  if (operands.length !== 2 || column === undefined || others.length > 0) return unknownOutput;
  const chosen = operands.filter((_, at) => column === '-3' || column === `-${at + 1}`);
  return outputOfOne(
    chosen.map((word) => {
      const input = (word.kind === 'unknown' && word.gives) || unknownOutput;
      return linesOf({ ...given, effects: [], input });
    }),
  );
}

/** `cut -d C -f N`, or `N-` for all from there. */
function cutFrom(given: Given, [delimiter = null, field = null]: readonly (string | null)[]): Output {
  const lines = linesOf(given);
  if (isNothing(lines)) return noOutput;
  if (delimiter === null || field === null) return unknownOutput;
  if (lines.kind !== 'table') return editedLines(fieldOf([delimiter, field]), given);
  const [, number, isAll] = /^([1-9]\d?)(-?)$/.exec(field) ?? [];
  if (number === undefined) return unknownOutput;
  const by = delimiter || '\t';
  if (by === '\t' && number === '2' && lines.isTabbed === true) return linesWith(lines.rest, lines);
  return isAll === ''
    ? linesWith(columnOf(lines, by, Number(number)), lines)
    : linesWith(restBehind(lines, by, Number(number) - 1), lines);
}

/** `cut -c N-`. */
function charactersFrom(given: Given, [range]: readonly (string | null)[]): Output {
  const lines = linesOf(given);
  const [, start] = /^([1-9]\d?)-$/.exec(range ?? '') ?? [];
  if (start === undefined) return unknownOutput;
  if (lines.kind !== 'table') return editedLines((line) => [line.slice(Number(start) - 1)], given);
  return linesWith(lines.restAt === Number(start) ? lines.rest : null, lines);
}

/** `awk '{print $N}'`, perhaps with a condition, and with texts around the field. */
function columnsOf(given: Given, [separator = null]: readonly (string | null)[]): Output {
  const program = textOf(given.reading.operands[0]) ?? '';
  const [lines, chosen] = [linesOf(given), printedByAwk(program)];
  const assigned = optionsNamed(given.reading, '-v').flatMap(({ values }) => values.map(startOf));
  const operands = given.reading.operands.slice(1).flatMap(assignedBy);
  const number = numbersByAwk(program, [...assigned, ...operands]);
  if (number !== null) return number;
  if (
    chosen === null ||
    assigned.length > 0 ||
    separator === null ||
    given.reading.operands.length !== 1 ||
    !/^(?:|[:/,.=@;#%]|\t|\\t)$/.test(separator)
  )
    return unknownOutput;
  if (chosen === 'lines' || isNothing(lines)) return lines;
  const by = separator === '' ? null : separator.replace('\\t', '\t');
  const column = linesWith(columnOf(lines, by, chosen.field), lines);
  if (column.kind !== 'names') return chosen.before + chosen.after === '' ? column : unknownOutput;
  const texts = column.names.texts.map((text) => chosen.before + text + chosen.after);
  return { ...column, names: { ...column.names, texts } };
}

/** What an operand of `awk` may set: `NR=5`. A path with a slash before the sign is a file. */
function assignedBy(word: Word): readonly string[] {
  const starts = [...textsIn(word), ...(isOpen(word) ? [startOf(word)] : [])];
  return starts.filter((each) => /^\w*=/.test(each) || (isOpen(word) && /^\w*$/.test(each)));
}

/** The value of an option, empty without it; null if it is given twice, is unknown or empty. */
function onlyValue(name: string, { reading }: Given): string | null {
  const [only, ...others] = optionsNamed(reading, name);
  if (only === undefined) return '';
  return others.length > 0 ? null : textOf(only.values[0]) || null;
}

/** `sed SCRIPT`. In lines with columns it may only choose: an invalid text may end what a pattern matches. */
function editedBy(given: Given): Output {
  const script = textOf(given.reading.operands[0]) ?? '';
  const isQuiet = given.reading.given.has('-n') ? 1 : 0;
  const lines = linesOf(given);
  const chosen = choosesLines(script) ? lines : unknownOutput;
  const edited = lines.kind === 'table' ? chosen : editedLines(editOf(script), given);
  // `p` prints a line once more.
  return script.split('p').length - 1 > isQuiet ? repeatedOutput(edited) : edited;
}

/** `tr A B`, `tr -d A`. */
function translate(given: Given): Output {
  const { operands, given: options } = given.reading;
  const deletes = options.has('-d') || options.has('--delete');
  const [from = null, into = deletes ? '' : null, ...more] = operands.map(textOf);
  if (from === null || into === null || more.length > 0 || deletes === operands.length > 1)
    return unknownOutput;
  const lines = linesOf(given);
  // Blanks, which some programs print before a number.
  if (lines.kind === 'number') return deletes && from === ' ' ? lines : unknownOutput;
  // The same lines, each of which NUL ends.
  if (lines.kind === 'names' && from === '\\n' && /^\\0{1,3}$/.test(into))
    return { ...lines, names: { ...lines.names, under: null }, separator: '\0' };
  return editedLines(translationOf(from, into), given);
}

function editedLines(edit: Edit | null, given: Given): Output {
  const lines = linesOf(given);
  if (edit !== null && isNothing(lines)) return noOutput;
  const names = lines.kind === 'names' && edit !== null ? editLines(edit, lines.names) : null;
  return lines.kind === 'names' && names !== null ? { ...lines, names } : unknownOutput;
}

/** Some lines of the input or of the files that it reads, unchanged. */
function linesOf(given: Given): Output {
  const { input, effects, reading } = given;
  // `tee` writes what it prints, perhaps also to its output.
  const isWritten = (effect: Effect) => effect.kind === 'path' && effect.access === 'write';
  const isNul = ['-z', '--zero-terminated'].some((name) => reading.given.has(name));
  if (!effects.every(isWritten) || reading.open !== null)
    return isNul ? unknownOutput : linesOfFiles(filesOf(given));
  const lines = someOf(input, isNul ? '\0' : '\n');
  return effects.length === 0 ? lines : repeatedOutput(lines);
}

/** The paths among its operands, as written. */
function namesOf(operands: readonly AssignedOperand[]): Names {
  const words = pathWords(operands);
  return { texts: words.flatMap(textsIn), open: words.some(isOpen), under: null };
}
