import { posix } from 'node:path';
import { type Effect, onFiles, onlyFiles } from '../../effect.js';
import type { Lister, Reading } from '../../programs/reading.js';
import { beside } from '../../programs/words.js';
import { text, textOf, unknown, type Word } from '../../word.js';
import type { Context } from '../../world.js';
import { has, hasOnly, pathEffects, valuesOf } from '../options.js';
import { startAt } from '../start.js';
import { unchanged } from '../text-read.js';

/** The most files that are named one by one. */
const mostPieces = 600;

/** The most bytes of a file whose lines are counted. */
const mostBytes = 16 * 1024 * 1024;

/** split(1): the files that it may write, by the size of the one that it reads. */
export const split: Lister = (reading, context) => {
  const [input, prefix, ...more] = reading.operands;
  const start = prefix === undefined ? 'x' : textOf(prefix);
  const count = more.length === 0 && hasOnly(reading, plainSplit) ? piecesOf(reading, input, context) : null;
  const length = textOf(valuesOf(reading, '-a --suffix-length')[0]) ?? '2';
  const last = textOf(valuesOf(reading, '--additional-suffix')[0]) ?? '';
  const digits = has(reading, '-d') ? '0123456789' : has(reading, '-x') ? '0123456789abcdef' : letters;
  const isTwice =
    (has(reading, '-d') && has(reading, '-x')) ||
    ['-a --suffix-length', '--additional-suffix'].some((names) => valuesOf(reading, names).length > 1);
  if (start === null || count === null || !/^[2-4]$/.test(length) || last.includes('/') || isTwice)
    return null;
  // Suffixes grow before the last first letter is used up.
  if (count > digits.length ** (Number(length) - 1) * (digits.length - 1)) return null;
  const names = numbers(count).map((at) => start + suffix(at, digits, Number(length)) + last);
  return written(input, names, context);
};

const plainSplit =
  '-l --lines -b --bytes -n --number -d -x -a --suffix-length --additional-suffix --verbose -e';

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** The most files that `split` writes; null if unknown. */
function piecesOf(reading: Reading, input: Word | undefined, context: Context): number | null {
  const [value, ...others] = reading.options.flatMap(({ entry, values: [given] }) =>
    entry.names.some((name) => /^-[lbn]$/.test(name))
      ? [[entry.names.join(), textOf(given) ?? ''] as const]
      : [],
  );
  const size = sizeOf(input, context);
  const [by = '-l', number = '1000'] = value ?? [];
  const [, kind = '', amount = '', unit = ''] = /^([lr]\/)?([1-9]\d{0,8})([KMG]?)$/.exec(number) ?? [];
  if (size === null || amount === '' || others.length > 0) return null;
  if (by.startsWith('-n')) return unit === '' ? atMost(Number(amount)) : null;
  if (kind !== '') return null;
  const each = Number(amount) * 1024 ** ' KMG'.indexOf(unit || ' ');
  return atMost(Math.ceil((by.startsWith('-b') ? size.bytes : size.lines) / each));
}

/** csplit(1): the same, by the lines of the file. */
export const csplit: Lister = (reading, context) => {
  const [input, ...patterns] = reading.operands;
  const given = valuesOf(reading, '-f --prefix');
  const [prefix = text('xx'), ...others] = given;
  const size = sizeOf(input, context);
  const isKnown = patterns.every((word) => textOf(word) !== null) && reading.open === null;
  const count = size === null ? null : atMost(size.lines + patterns.length + 1);
  if (input === undefined) return 'which file it reads is unknown';
  const start = textOf(prefix);
  const isPlain = isKnown && others.length === 0 && !has(reading, '-n');
  const names = numbers(count ?? 0).map((at) => `${start}${String(at).padStart(2, '0')}`);
  const known = isPlain && start !== null && count !== null ? written(input, names, context) : null;
  const beginning = others.length > 0 ? unknown('?') : beside(prefix);
  return known ?? [...pathEffects('read', [input]), ...pathEffects('write', [beginning])];
};

function atMost(count: number): number | null {
  return count <= mostPieces ? count : null;
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function suffix(at: number, digits: string, length: number): string {
  const rest = length === 1 ? '' : suffix(Math.floor(at / digits.length), digits, length - 1);
  return rest + (digits[at % digits.length] ?? '');
}

/** The size of a file that no command of the line changes; null if unknown. */
function sizeOf(
  word: Word | undefined,
  context: Context,
): { readonly bytes: number; readonly lines: number } | null {
  const named = textOf(word);
  const content = named === null || named === '-' ? null : unchanged(named, context, mostBytes);
  return content === null
    ? null
    : { bytes: content.length, lines: content.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 1) };
}

function written(
  input: Word | undefined,
  names: readonly string[],
  context: Context,
): readonly Effect[] | null {
  const paths = names.flatMap((name) => startAt(name, context, true).real ?? []);
  if (input === undefined || paths.length < names.length) return null;
  const files = onlyFiles([...paths, ...names.map((name) => posix.resolve(context.folder.named, name))]);
  return [...pathEffects('read', [input]), ...onFiles('write', files)];
}
