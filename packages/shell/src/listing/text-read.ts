import { resolve } from 'node:path';
import { orNull } from '@ambit/core';
import { countsAsInside, readPlain, secretsAt } from '@ambit/toolsets';
import { linesIn } from '../outputs.js';
import { type Output, onlyNames, textOf, type Word } from '../word.js';
import { type Context, mayDiffer } from '../world.js';
import { startAt } from './start.js';

/** The most bytes of a file that is looked through. */
const mostBytes = 4_000_000;

/** The text of a file that a word names, or without a word of the standard input; null if it is unknown. */
export function textRead(
  given: Word | undefined,
  { folder, input, world }: Pick<Context, 'input' | 'world'> & { readonly folder: string | null },
): string | null {
  if (folder === null) return null;
  if (given === undefined && input.kind === 'text') return input.text;
  const ofInput = input.kind === 'unknown' ? input.file : undefined;
  const named = given === undefined ? ofInput : textOf(given);
  if (named == null || named === '-') return null;
  const path = resolve(folder, named);
  return mayDiffer(path, world.changes) ? null : orNull(() => readPlain(path, mostBytes).toString('utf8'));
}

/** The content of a file that no command of the line changes; null if it is unknown. */
export function unchanged(name: string, context: Context, most: number): Buffer | null {
  const { real, kind } = startAt(name, context, true);
  if (real === null || kind !== 'file' || mayDiffer(real, context.world.changes)) return null;
  return orNull(() => readPlain(real, most));
}

const longestList = 50_000;

/**
 * The lines of files, where each names a file inside that exists. Any other text stays unknown: descriptions, which people and
 * models see, must not tell what is in a file that a policy blocks.
 */
export function listed(output: Output, context: Context): Output {
  if (output.kind !== 'unknown' || !context.isRead) return output;
  const { file, linesOf = file === undefined ? [] : [file] } = output;
  const texts = linesOf.map((each) => listIn(each, context));
  // A line without its end goes on in the next file.
  if (
    texts.length === 0 ||
    !texts.every((each, at) => each?.endsWith('\n') || (each && at === texts.length - 1))
  )
    return output;
  const lines = texts.flatMap((each) => linesIn(each ?? ''));
  const mayRunOn = texts.at(-1)?.endsWith('\n') !== true;
  return { kind: 'names', names: onlyNames(lines), separator: '\n', ...(mayRunOn && { mayRunOn }) };
}

/** The text of a file; null if it may change, or if a line names no file inside that exists. */
function listIn(file: string, context: Context): string | null {
  const { roots, changes } = context.world;
  const isThere = (path: string) => {
    const { real, kind } = startAt(path, context, true);
    return kind !== null && real !== null && countsAsInside(real, roots) ? real : null;
  };
  const real = isThere(file);
  if (real === null || mayDiffer(real, changes) || secretsAt(real, roots.homes).length > 0) return null;
  const text = orNull(() => readPlain(real, longestList).toString('utf8'));
  return text !== null && linesIn(text).every((line) => line !== '' && isThere(line) !== null) ? text : null;
}
