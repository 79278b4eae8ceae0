import type { Files } from '../../../effect.js';
import { joined } from '../../../files/listing.js';
import { mayHaveChanged } from '../changed.js';
import { everyPath } from './pathspec.js';
import { untrackedFiles } from './untracked.js';
import type { WorkTree } from './work-tree.js';

/**
 * Ignored files at the places of files that git writes. Git replaces them without a question: the file itself, a
 * file where a folder is needed, and all files of a folder where a file is needed.
 */
export function inTheWay(work: WorkTree, written: ReadonlySet<string>): Files {
  const { tree } = work;
  const places = [...written].filter((path) => isTaken(work, path));
  if (places.length === 0) return { paths: [], open: false, under: null };
  const ignored = ignoredFiles(work);
  const full = places.map((path) => joined(tree, path));
  const isMet = (file: string) =>
    full.some((place) => place === file || place.startsWith(`${file}/`) || file.startsWith(`${place}/`));
  return { ...ignored, paths: ignored.paths.filter(isMet) };
}

/** The untracked files that rules exclude. */
export function ignoredFiles(work: WorkTree): Files {
  return ignoredAmong(work, untrackedFiles(work, everyPath, { ignored: true }).files);
}

/** Those of the given untracked files that rules exclude. */
export function ignoredAmong(work: WorkTree, files: Files): Files {
  const plain = untrackedFiles(work, everyPath, { ignored: false }).files;
  const shown = new Set(plain.paths);
  const open = files.open || plain.open;
  return { paths: files.paths.filter((path) => !shown.has(path)), open, under: open ? work.tree : null };
}

/** Whether an untracked file may stand at a place that git writes, above it or below it. */
function isTaken(work: WorkTree, path: string): boolean {
  const { tree, index, world } = work;
  if (index === null) return true;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = joined(tree, at);
    if (mayHaveChanged(place, world.changes)) return true;
    const kind = world.listing.kind(place);
    if (kind === null) continue;
    const isFolder = kind === 'folder';
    return at === path ? isFolder || !isTracked(work, path) : !isFolder;
  }
  return false;
}

const tracked = new WeakMap<WorkTree, ReadonlySet<string>>();

function isTracked(work: WorkTree, path: string): boolean {
  const known = tracked.get(work) ?? new Set(work.index?.entries.map((entry) => entry.path));
  tracked.set(work, known);
  return known.has(path);
}
