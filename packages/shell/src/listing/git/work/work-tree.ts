import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { orNull, remembered } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import type { Files } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { mayHaveChanged, mayHaveChangedBelow, noChanges, type World } from '../../../world.js';
import type { Maybe } from '../../pattern.js';
import type { Snapshot } from '../store/history.js';
import { type GitIndex, type IndexEntry, snapshotOf } from '../store/index-file.js';
import type { Repository } from '../store/repository.js';
import { everyPath, type Pathspec } from './pathspec.js';

export interface WorkTree {
  readonly tree: string;
  readonly repository: Repository;
  /** Null if the index is unknown. */
  readonly index: GitIndex | null;
  /** What earlier commands may have added to the index, changed there or taken out. */
  readonly added: ReadonlySet<string>;
  readonly world: World;
  /** The file of ignore rules for all work trees of the user. */
  readonly excludes: string;
  /** Whether these rules ignore case. */
  readonly foldsCase: boolean;
  readonly stats: Map<string, Stats | null>;
}

/** Folders between the work tree and paths in it. */
export function foldersBelow({ tree }: WorkTree, paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = dirname(path); at.length > tree.length && !folders.has(at); at = dirname(at))
      folders.add(at);
  return [...folders];
}

/** The paths that are certainly still in the index. */
export function surelyTracked({ index, added }: WorkTree): ReadonlySet<string> {
  return new Set(index?.entries.flatMap(({ path }) => (added.has(path) ? [] : path)));
}

const largestHashed = 8_000_000;

/** The files of the index; null if they are unknown. Without a conflict, they are what git merges into. */
export function staged({ index, added }: WorkTree): Snapshot | null {
  if (index === null || added.size > 0 || index.entries.some(({ stage }) => stage > 0)) return null;
  return snapshotOf(index);
}

/** Tracked files, those of submodules left out. */
export function trackedFiles(work: WorkTree, spec = everyPath): Files {
  return chosen(work, spec, () => true);
}

/** Tracked files that git opens, because they may have changed since it wrote the index. */
export function changedFiles(work: WorkTree, spec = everyPath): Files {
  return chosen(work, spec, (entry, path) => mayDifferFromIndex(work, entry, path));
}

/** Tracked files whose content may differ from the index, or that are missing: `git diff` shows the others in no way. */
export function unequalFiles(work: WorkTree, spec = everyPath): Files {
  return chosen(work, spec, (entry, path) => isUnequal(work, entry, path));
}

/** Tracked files that git writes to make them equal to the index. */
export function staleFiles(work: WorkTree, spec = everyPath): Files {
  // If the index's data about a file are old, git does not read the content.
  return chosen(work, spec, (entry, path) => !isStatEqual(work, entry, path) || isUnequal(work, entry, path));
}

/** Tracked files whose content in the index is not that of each commit: git may read them from the work tree. */
export function differingFiles(work: WorkTree, spec: Pathspec, commits: readonly Snapshot[] | null): Files {
  return chosen(work, spec, ({ path, id }) => commits?.every((each) => each.get(path)?.id === id) !== true);
}

/** Whether git may find a file that seems changed but is not, and note that in the index. */
export function mayRefresh(work: WorkTree): boolean {
  if (work.index === null) return true;
  return work.index.entries.some((entry) => {
    const path = joinPath(work.tree, entry.path);
    if (entry.kind !== 'file') return false;
    if (mayHaveChanged(path, work.world.changes)) return true;
    return !isStatEqual(work, entry, path) && isEqual(work, entry, path) !== false;
  });
}

/** Whether the index is as new as a file: then `git status` writes it again. */
export function isRacy(work: WorkTree): boolean {
  const { entries = [], time = 0 } = work.index ?? {};
  return entries.some(({ stat }) => stat.modified >= time);
}

function chosen(
  work: WorkTree,
  spec: Pathspec,
  isChosen: (entry: IndexEntry, path: string) => boolean,
): Files {
  const { tree, index, added } = work;
  if (index === null) return { paths: [], open: true, under: isMoved(work) ? null : tree };
  const paths = new Set<string>();
  for (const entry of index.entries) {
    const path = joinPath(tree, entry.path);
    if (entry.kind !== 'submodule' && spec.matches(entry.path) && isChosen(entry, path)) paths.add(path);
  }
  for (const path of added) if (spec.matches(path)) paths.add(joinPath(tree, path));
  return { paths: [...paths], open: hasLinkOnTheWay(work) || isMoved(work), under: null };
}

/** Whether earlier commands may have redirected the way to files of the work tree. */
export function isMoved({ tree, world }: WorkTree): boolean {
  const { links } = world.changes;
  return links.size > 0 && mayHaveChangedBelow(tree, { ...noChanges(), created: links });
}

/** Whether a folder of tracked files is a link: git does not follow it, except in `git grep`. */
function hasLinkOnTheWay(work: WorkTree): boolean {
  const tracked = (work.index?.entries ?? []).map(({ path }) => joinPath(work.tree, path));
  return foldersBelow(work, tracked).some((folder) => work.world.listing.kind(folder) === 'link');
}

function mayDifferFromIndex(work: WorkTree, entry: IndexEntry, path: string): boolean {
  if (mayHaveChanged(path, work.world.changes)) return true;
  if (statOf(work, path) === null) return false;
  // Git reads files that were modified in the second in which the index was written. Some commands write it first.
  const written = Math.min(work.index?.time ?? 0, seconds(Date.now()));
  return !isStatEqual(work, entry, path) || entry.stat.modified >= written;
}

function isUnequal(work: WorkTree, entry: IndexEntry, path: string): boolean {
  if (!mayDifferFromIndex(work, entry, path)) return statOf(work, path) === null && entry.isSkipped !== true;
  return isEqual(work, entry, path) !== true;
}

/** Whether the index's data about a file say that it is unchanged. */
function isStatEqual(work: WorkTree, { kind, mode, stat }: IndexEntry, path: string): boolean {
  const found = statOf(work, path);
  if (found === null || mayHaveChanged(path, work.world.changes)) return false;
  const isExecutable = (found.mode & 0o100) !== 0;
  return (
    seconds(found.mtimeMs) === stat.modified &&
    (stat.nanoseconds === 0 || Math.abs((found.mtimeMs % 1000) * 1e6 - stat.nanoseconds) < 1000) &&
    seconds(found.ctimeMs) === stat.changed &&
    low(found.ino) === stat.inode &&
    low(found.uid) === stat.user &&
    low(found.gid) === stat.group &&
    low(found.size) === stat.size &&
    (kind === 'link' || isExecutable === ((mode & 0o100) !== 0))
  );
}

/** Whether git finds that a file is as its entry; null if unknown. Attributes may change line ends and ids in it. */
function isEqual(work: WorkTree, { id, mode, stage }: IndexEntry, path: string): Maybe {
  const found = statOf(work, path);
  if (found === null || !found.isFile()) return false;
  if (found.size > largestHashed || mayHaveChanged(path, work.world.changes)) return null;
  const content = readPlain(path);
  if (content.includes('\r\n')) return null;
  const own = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  const isMode = ((found.mode & 0o100) !== 0) === ((mode & 0o100) !== 0);
  return own === id && (isMode && stage === 0 && !content.includes('$Id') ? true : null);
}

function statOf({ stats }: WorkTree, path: string): Stats | null {
  return remembered(stats, path, () => lookAt(path));
}

/** The file at a path, without following links; null if its metadata cannot be read. */
export function lookAt(path: string): Stats | null {
  return orNull(() => lstatSync(path, { throwIfNoEntry: false }) ?? null);
}

function seconds(milliseconds: number): number {
  return low(Math.floor(milliseconds / 1000));
}

function low(number: number): number {
  return number % 0x1_0000_0000;
}
