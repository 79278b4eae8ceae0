import { posix } from 'node:path';
import type { Lister } from '../../programs/reading.js';
import { isMany, isOpen, text, textOf, textsIn } from '../../word.js';
import { type Context, mayExist, mayHaveChanged, type World } from '../../world.js';
import { hasOnly, pathEffects } from '../options.js';
import { startAt } from '../start.js';

/** `node --check FILE`: it reads a file and runs nothing. Other options may load code. */
export const nodeCheck: Lister = (reading, context) => {
  if (!hasOnly(reading, '-c --check --no-warnings --no-deprecation --enable-source-maps'))
    return 'an option besides `--check` may run code';
  const [first, ...others] = reading.operands;
  if (first === undefined || textOf(first) === '-') return { effects: [] };
  // Other words may be the file, where the first one stands for none.
  const words = isMany(first) ? [first, ...others] : [first];
  const read = words.flatMap(textsIn).map((each) => filesOfCheck(each, context));
  if (words.some(isOpen) || read.includes(null)) return 'which file node finds is unknown';
  const paths = [...new Set(read.flatMap((each) => each ?? []))];
  return { effects: pathEffects('read', paths.map(text)), leavesInput: !isMany(first) };
};

/** The file, and the manifest that says which kind of module it is. Node searches others for a missing file. */
function filesOfCheck(named: string, context: Context): readonly string[] | null {
  const { changes, listing } = context.world;
  const start = startAt(named, context, true);
  if (start.real === null) return null;
  // What the line writes there is still a file.
  const replaced = { ...changes, created: new Set<string>() };
  if ([start.named, start.real].some((path) => mayHaveChanged(path, replaced))) return null;
  const isNew = start.kind === null && changes.created.has(start.real);
  if (start.kind !== 'file' && !(isNew && isOnly(start.real, context.world))) return null;
  if (/\.[cm]js$/.test(start.real)) return [named];
  const manifests: string[] = [];
  for (let folder = posix.dirname(start.real); ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'package.json');
    const isChanged = mayHaveChanged(path, changes);
    const isThere = listing.kind(path) !== null;
    if (isThere || isChanged) manifests.push(path);
    if ((isThere && !isChanged) || folder === '/') return [named, ...manifests];
  }
}

/** Whether node finds no other file for this name. */
function isOnly(path: string, world: World): boolean {
  const others = ['.js', '.json', '.node', '/package.json', '/index.js'].map((end) => path + end);
  return !others.some((other) => mayExist(other, world));
}
