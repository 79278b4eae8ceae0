import { anyBelow, type Effect, type Files, onFiles, onlyFiles } from '../../../effect.js';
import { type Entry, joinPath } from '../../../files/listing.js';
import { mayBeRemoved, mayHaveChanged } from '../../../world.js';
import { isSameEntry, type Snapshot } from '../store/history.js';
import { snapshotOf } from '../store/index-file.js';
import type { TreeEntry } from '../store/objects.js';
import { below, discard } from './discard.js';
import { everyPath, type Pathspec } from './pathspec.js';
import { untrackedFiles } from './untracked.js';
import { foldersBelow, staleFiles, surelyTracked, type WorkTree } from './work-tree.js';

export interface Replaced {
  readonly written: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** Whether links are among the written files. */
  readonly mayLink: boolean;
}

/** A change from one tree to another: only differing files are touched. Paths are below the work tree. */
export function exchange(from: Snapshot, to: Snapshot): Replaced {
  const written = [...to].filter(([path, entry]) => !isSameEntry(entry, from.get(path)));
  const deleted = [...from.keys()].filter((path) => !to.has(path));
  return replaced(written, deleted);
}

/** Writes files of a tree into the work tree unconditionally. Tracked files that it lacks are deleted. */
export function overwrite(work: WorkTree, spec: Pathspec, to: Snapshot): Replaced {
  const tracked = new Map<string, TreeEntry | null>(work.index === null ? [] : snapshotOf(work.index));
  for (const path of work.added) tracked.set(path, null);
  const dirty = new Set(below(work, staleFiles(work, spec)));
  const written = [...to].filter(
    ([path, entry]) => spec.matches(path) && (!isSameEntry(entry, tracked.get(path)) || dirty.has(path)),
  );
  const deleted = [...tracked.keys()].filter((path) => spec.matches(path) && !to.has(path));
  return replaced(written, deleted);
}

function replaced(
  written: readonly (readonly [string, { readonly kind: string }])[],
  deleted: readonly string[],
): Replaced {
  const files = written.filter(([, { kind }]) => kind !== 'submodule');
  return {
    written: new Set(files.map(([path]) => path)),
    deleted: new Set(deleted),
    mayLink: files.some(([, { kind }]) => kind === 'link'),
  };
}

/** Several changes, one after the other. */
export function allOf(steps: readonly Replaced[]): Replaced {
  return {
    written: new Set(steps.flatMap(({ written }) => [...written])),
    deleted: new Set(steps.flatMap(({ deleted }) => [...deleted])),
    mayLink: steps.some(({ mayLink }) => mayLink),
  };
}

/** Writing and deleting anything below the work tree, if the replaced files are unknown. */
export function anything(work: WorkTree): readonly Effect[] {
  const files = anyBelow(work.tree);
  const ignored = untrackedFiles(work, everyPath, { ignored: 'only' }).files;
  return [
    ...onFiles('write', files, { mayLink: true }),
    ...onFiles('delete', files),
    ...(ignored.paths.length > 0 || ignored.open ? discard(work, null) : []),
  ];
}

/**
 * The effects of writing and deleting files of a work tree. Without an index, others may be touched as well. `isForced`:
 * git does not ask about untracked files that are in the way.
 */
export function effectsOf(
  work: WorkTree,
  { written, deleted, mayLink }: Replaced,
  isForced = false,
): readonly Effect[] {
  const isOpen = work.index === null;
  const full = (paths: Iterable<string>) => [...paths].map((path) => joinPath(work.tree, path));
  const under = isOpen ? work.tree : null;
  const met = inTheWay(work, written, isForced);
  const gone = { paths: [...full(deleted), ...met.paths], open: isOpen || met.open };
  return [
    ...writing(work, { paths: full(written), open: isOpen, under }, mayLink || isOpen),
    ...deleting(work, { ...gone, under: gone.open ? work.tree : null }),
    ...discard(work, below(work, met), met.open),
  ];
}

/** Writes files, and makes the folders that are missing on the way. */
export function writing(work: WorkTree, files: Files, mayLink: boolean): readonly Effect[] {
  const missing = foldersBelow(work, files.paths).filter(
    (folder) => work.world.listing.kind(folder) !== 'folder',
  );
  return onFiles('write', { ...files, paths: [...missing, ...files.paths] }, mayLink ? { mayLink } : {});
}

/** Deletes files, and folders that may hold nothing else. */
export function deleting(work: WorkTree, files: Files): readonly Effect[] {
  const gone = new Set(files.paths);
  const { listing, changes } = work.world;
  const isKept = ({ path }: Entry) => !gone.has(path) && !mayBeRemoved(path, changes);
  const innermost = [...foldersBelow(work, files.paths)].sort((one, other) => other.length - one.length);
  for (const folder of innermost) {
    if (!listing.names(folder).entries.some(isKept)) gone.add(folder);
  }
  return onFiles('delete', { ...files, paths: [...gone] });
}

/**
 * Untracked files at the places of files that git writes. Git replaces ignored ones without a question: the file itself,
 * a file where a folder is needed, and all files of a folder where a file is needed. `isForced`: of others, too, those
 * that are above or below such a place.
 */
export function inTheWay(work: WorkTree, written: ReadonlySet<string>, isForced: boolean): Files {
  const { tree } = work;
  const tracked = surelyTracked(work);
  const places = [...written].filter((path) => isTaken(work, path, tracked));
  if (places.length === 0) return onlyFiles([]);
  const ignored = untrackedFiles(work, everyPath, { ignored: 'only' }).files;
  const all = isForced ? untrackedFiles(work, everyPath, { ignored: true }).files : ignored;
  const full = places.map((path) => joinPath(tree, path));
  const isMet = (file: string) =>
    full.some((place) => place.startsWith(`${file}/`) || file.startsWith(`${place}/`));
  const paths = [...all.paths.filter(isMet), ...ignored.paths.filter((file) => full.includes(file))];
  return { ...all, paths };
}

/** Whether an untracked file may stand at a place that git writes, above it or below it. */
function isTaken({ tree, index, world }: WorkTree, path: string, tracked: ReadonlySet<string>): boolean {
  if (index === null) return true;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = joinPath(tree, at);
    if (mayHaveChanged(place, world.changes)) return true;
    const kind = world.listing.kind(place);
    if (kind === null) continue;
    const isFolder = kind === 'folder';
    return at === path ? isFolder || !tracked.has(path) : !isFolder;
  }
  return false;
}
