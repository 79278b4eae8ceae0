import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import { textOf, type Word } from '../word.js';
import { type Context, mayDiffer } from '../world.js';
import { mostBytes } from './git/commands/apply.js';

/** The text of a file that a word names, or without a word of the standard input; null if it is unknown. */
export function textRead(given: Word | undefined, { folder, input, world }: Context): string | null {
  const named = textOf(given);
  if (folder.real === null) return null;
  if (given === undefined && input.kind === 'text') return input.text;
  const path =
    named !== null ? posix.resolve(folder.real, named) : input.kind === 'unknown' ? input.file : undefined;
  const isKnown = path !== undefined && named !== '-' && !mayDiffer(path, world.changes);
  return isKnown ? orNull(() => readPlain(path, mostBytes).toString('utf8')) : null;
}
