import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path';
import { shellWord } from './view/shell-word.js';

/** What a user types in `folder` to call the program again: its name where it is on the path, or the way to it. */
export function calledAs(
  script: string | undefined,
  { folder, path = '' }: { readonly folder: string; readonly path?: string | undefined },
): string {
  // Anything else is no way to call it: a bundle, or a test.
  if (script === undefined || basename(script) !== 'ambit') return 'ambit';
  if (path.split(delimiter).includes(dirname(script))) return 'ambit';
  const way = relative(folder, script);
  return shellWord(way.startsWith('..') || isAbsolute(way) ? script : `./${way}`);
}
