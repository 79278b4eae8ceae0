import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { Lister } from '../../programs/reading.js';
import {
  isMany,
  isOpen,
  noOutput,
  type Output,
  text,
  textOf,
  textsIn,
  unknownOutput,
  type Word,
} from '../../word.js';
import { countOf, type Described, type World } from '../../world.js';
import { printedNames } from '../names.js';
import { has, hasOnly, valuesOf } from '../options.js';

/** dirname(1): the folders of paths, as written. */
export const dirname: Lister = ({ operands, given, open }) =>
  printParts(given.size > 0 || open !== null ? null : operands, (path) => [folderOf(path)]);

/** basename(1) of one path, with the end that it takes away, or of several. */
export const basename: Lister = (reading) => {
  const { operands } = reading;
  const [path, end = text('')] = operands;
  const suffixes = valuesOf(reading, '-s --suffix');
  const isOfAll = suffixes.length > 0 || has(reading, '-a --multiple');
  const suffix = textOf(isOfAll ? (suffixes.at(-1) ?? text('')) : end);
  const isPlain = hasOnly(reading, '-a --multiple -s --suffix') && path !== undefined;
  // Of several words without an option, the second is an end, or it fails.
  const areSeveral = !isOfAll && isPlain && isMany(path);
  const ends = areSeveral ? textsIn(path).filter((each) => !each.includes('/')) : [];
  const most = isOfAll ? operands.length : areSeveral ? 1 : 2;
  if (!isPlain || suffix === null || operands.length > most || ends.length > mostEnds)
    return printParts(null, () => []);
  const all = [suffix, ...ends];
  return printParts(isOfAll ? operands : [path], (name) => [
    ...new Set(all.map((each) => withoutEnd(nameOf(name), each))),
  ]);
};

/** The most words of which each may be an end of each other one. */
const mostEnds = 300;

/** which(1): where the search path has files of these names. */
export const which: Lister = ({ operands, given, open }, { world }) => {
  const output = open === null && !given.has('-s') ? foundIn(operands, world) : unknownOutput;
  const isOne = operands.length === 1 && given.size === 0;
  return {
    effects: [],
    output: output.kind === 'names' && isOne ? { ...output, isOne } : output,
    leavesInput: true,
  };
};

/**
 * The files of these names in the search path; unknown after a change, and for a name that is not found: the search
 * path of the caller may be longer.
 */
export function foundIn(words: readonly Word[], { searchPath, changes }: World): Output {
  const names = words.map(textOf);
  const isPlain = names.every((name) => name !== null && /^\w[\w.+-]*$/.test(name));
  if (!isPlain || countOf(changes) > 0) return unknownOutput;
  const paths = names.map((name) => searchPath.map((folder) => `${folder}/${name}`).filter(existsSync));
  return paths.some(({ length }) => length === 0) ? unknownOutput : printedNames(paths.flat(), false);
}

type Parts = (path: string) => readonly string[];

function printParts(words: readonly Word[] | null, partsIn: Parts): Described {
  return { effects: [], output: words === null ? unknownOutput : partsOf(words, partsIn), leavesInput: true };
}

function partsOf(words: readonly Word[], partsIn: Parts): Output {
  if (words.length === 0) return noOutput;
  const texts = words.flatMap(textsIn);
  const parts = texts.flatMap(partsIn);
  if (parts.some((each) => each.includes('\n')) || words.some((word) => word.kind === 'unknown'))
    return unknownOutput;
  if (words.every((word) => word.kind === 'text'))
    return { kind: 'text', text: parts.map((each) => `${each}\n`).join('') };
  const output = printedNames(parts, words.some(isOpen));
  const [only, ...others] = words;
  const isOne = only?.kind === 'names' && only.count === 'one' && others.length === 0;
  return output.kind === 'names' && isOne ? { ...output, isOne } : output;
}

function folderOf(path: string): string {
  return posix.dirname(path).replace(/(?<=.)\/+$/, '');
}

function nameOf(path: string): string {
  return posix.basename(path) || path.slice(0, 1);
}

function withoutEnd(name: string, end: string): string {
  return end !== '' && name !== end && name.endsWith(end) ? name.slice(0, -end.length) : name;
}
