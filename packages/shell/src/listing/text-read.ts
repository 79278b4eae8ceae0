import { resolve } from 'node:path';
import { orNull } from '@ambit/core';
import { countsAsInside, readPlain, secretsAt } from '@ambit/toolsets';
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

const longestList = 50_000;

/**
 * The lines of a file, where each names a file inside that exists. Any other text stays unknown: descriptions, which people and
 * models see, must not tell what is in a file that a policy blocks.
 */
export function listed(output: Output, context: Context): Output {
  if (output.kind !== 'unknown' || output.file === undefined || !context.isRead) return output;
  const { roots, changes } = context.world;
  const isThere = (path: string) => {
    const { real, kind } = startAt(path, context, true);
    return kind !== null && real !== null && countsAsInside(real, roots) ? real : null;
  };
  const real = isThere(output.file);
  if (real === null || mayDiffer(real, changes) || secretsAt(real, roots.homes).length > 0) return output;
  const text = orNull(() => readPlain(real, longestList).toString('utf8'));
  const lines = text?.replace(/\n$/, '').split('\n') ?? [''];
  if (!lines.every((line) => line !== '' && isThere(line) !== null)) return output;
  const mayRunOn = text?.endsWith('\n') !== true;
  return { kind: 'names', names: onlyNames(lines), separator: '\n', ...(mayRunOn && { mayRunOn }) };
}
