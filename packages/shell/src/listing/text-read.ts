import { resolve } from 'node:path';
import { orNull } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import { textOf, type Word } from '../word.js';
import { type Context, mayDiffer } from '../world.js';

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
