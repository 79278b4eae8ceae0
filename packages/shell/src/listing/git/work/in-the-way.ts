import { type Files, onlyFiles } from '../../../effect.js';
import { joined } from '../../../files/listing.js';
import { mayHaveChanged } from '../../../world.js';
import { everyPath } from './pathspec.js';
import { untrackedFiles } from './untracked.js';
import type { WorkTree } from './work-tree.js';

/**
 * Ignored files at the places of files that git writes. Git replaces them without a question: the file itself, a
 * file where a folder is needed, and all files of a folder where a file is needed.
 */
export function inTheWay(work: WorkTree, written: ReadonlySet<string>): Files {
  const { tree } = work;
  const tracked = new Set(work.index?.entries.map((entry) => entry.path));
  const places = [...written].filter((path) => isTaken(work, path, tracked));
  if (places.length === 0) return onlyFiles([]);
  const ignored = untrackedFiles(work, everyPath, { ignored: 'only' }).files;
  const full = places.map((path) => joined(tree, path));
  const isMet = (file: string) =>
    full.some((place) => place === file || place.startsWith(`${file}/`) || file.startsWith(`${place}/`));
  return { ...ignored, paths: ignored.paths.filter(isMet) };
}

/** Whether an untracked file may stand at a place that git writes, above it or below it. */
function isTaken({ tree, index, world }: WorkTree, path: string, tracked: ReadonlySet<string>): boolean {
  if (index === null) return true;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = joined(tree, at);
    if (mayHaveChanged(place, world.changes)) return true;
    const kind = world.listing.kind(place);
    if (kind === null) continue;
    const isFolder = kind === 'folder';
    return at === path ? isFolder || !tracked.has(path) : !isFolder;
  }
  return false;
}
