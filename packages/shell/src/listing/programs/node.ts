import { posix } from 'node:path';
import type { Lister } from '../../programs/reading.js';
import { text, textOf, type Word } from '../../word.js';
import { type Context, mayHaveChanged } from '../../world.js';
import { hasOnly, pathEffects } from '../options.js';
import { startAt } from '../start.js';

/** `node --check FILE`: it reads a file and runs nothing. Other options may load code. */
export const nodeCheck: Lister = (reading, context) => {
  if (!hasOnly(reading, '-c --check --no-warnings --no-deprecation --enable-source-maps'))
    return 'an option besides `--check` may run code';
  const [first] = reading.operands;
  const read = first === undefined || textOf(first) === '-' ? [] : filesOfCheck(first, context);
  if (read === null) return 'which file node finds is unknown';
  return { effects: pathEffects('read', read), leavesInput: read.length > 0 };
};

/** The file, and the manifest that says which kind of module it is. Node searches others for a missing file. */
function filesOfCheck(word: Word, context: Context): readonly Word[] | null {
  const named = textOf(word);
  const { changes, listing } = context.world;
  const start = named === null ? null : startAt(named, context, true);
  if (start === null || start.real === null || start.kind !== 'file') return null;
  if (mayHaveChanged(start.named, changes) || mayHaveChanged(start.real, changes)) return null;
  if (/\.[cm]js$/.test(start.real)) return [word];
  const manifests: Word[] = [];
  for (let folder = posix.dirname(start.real); ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'package.json');
    const isChanged = mayHaveChanged(path, changes);
    const isThere = listing.kind(path) !== null;
    if (isThere || isChanged) manifests.push(text(path));
    if ((isThere && !isChanged) || folder === '/') return [word, ...manifests];
  }
}
