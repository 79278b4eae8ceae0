import { isSameEntry, type Snapshot } from '../store/history.js';
import { exchange, type Replaced } from './replace.js';

/**
 * What a merge writes and deletes in `ours`, whatever git takes for a rename and whatever conflicts it finds. Null if
 * it may write at places that no side names: where files and folders meet, kinds of files differ, or a moved folder
 * takes new files along.
 */
export function mergedFiles(base: Snapshot, ours: Snapshot, theirs: Snapshot): Replaced | null {
  const [mine, other] = [changesOf(base, ours), changesOf(base, theirs)];
  if (mine.added.length + mine.removed.length + mine.changed.length === 0) return exchange(base, theirs);
  if (takesAlong(mine, other, base, ours) || takesAlong(other, mine, base, theirs)) return null;
  if (areMixed([base, ours, theirs])) return null;
  // A change of theirs follows a file that our side may have renamed.
  const renamed = mine.removed.length > 0 ? mine.added : [];
  const written = [...other.added, ...other.changed, ...renamed];
  return {
    written: new Set(written),
    deleted: new Set(other.removed),
    mayLink: written.some((path) => (theirs.get(path) ?? ours.get(path))?.kind === 'link'),
  };
}

interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

function changesOf(before: Snapshot, after: Snapshot): Changes {
  const kept = [...after.keys()].filter((path) => before.has(path));
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
    changed: kept.filter((path) => !isSameEntry(before.get(path), after.get(path))),
  };
}

/** Whether new files of the other side lie in a folder that this side may have moved as a whole. */
function takesAlong(side: Changes, other: Changes, base: Snapshot, after: Snapshot): boolean {
  if (side.added.length === 0 || side.removed.length === 0) return false;
  const left = foldersIn(after.keys());
  const gone = new Set([...foldersIn(base.keys())].filter((folder) => !left.has(folder)));
  return other.added.some(
    (path) => gone.has('') || [...foldersIn([path])].some((folder) => gone.has(folder)),
  );
}

/** Whether a path is a folder in one tree and a file in another, or files of different kinds. */
function areMixed(trees: readonly Snapshot[]): boolean {
  const kinds = new Map<string, string>();
  for (const tree of trees) {
    for (const [path, { kind }] of tree) {
      if ((kinds.get(path) ?? kind) !== kind || kind === 'submodule') return true;
      kinds.set(path, kind);
    }
  }
  return [...foldersIn(kinds.keys())].some((folder) => kinds.has(folder));
}

/** Folders that hold files, and those above them. Empty stands for the top, if a file lies in it directly. */
function foldersIn(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    let end = path.lastIndexOf('/');
    if (end < 0) folders.add('');
    for (; end > 0 && !folders.has(path.slice(0, end)); end = path.lastIndexOf('/', end - 1))
      folders.add(path.slice(0, end));
  }
  return folders;
}
