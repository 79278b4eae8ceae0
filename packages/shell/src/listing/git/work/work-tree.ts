import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { readPlain } from '@ambit/toolsets';
import type { Files } from '../../../effect.js';
import { joined } from '../../../files/listing.js';
import type { World } from '../../../world.js';
import { type IgnoreFile, ignoreRules, verdictOf } from '../../ignore-rules.js';
import { mayHaveChanged, mayHaveChangedBelow } from '../changed.js';
import type { Snapshot } from '../store/history.js';
import type { GitIndex, IndexEntry } from '../store/index-file.js';
import type { Repository } from '../store/repository.js';
import type { Pathspec } from './pathspec.js';

/** A work tree with what git knows about its files. */
export interface WorkTree {
  readonly tree: string;
  readonly repository: Repository;
  /** Null where it is unknown. */
  readonly index: GitIndex | null;
  /** What earlier commands may have added to the index. */
  readonly added: ReadonlySet<string>;
  readonly world: World;
  /** Files of ignore rules besides those in the work tree. */
  readonly excludes: readonly string[];
  /** Results for paths so far. */
  readonly stats: Map<string, Stats | null>;
}

const largestHashed = 8_000_000;

/** Tracked files, those of submodules left out. */
export function trackedFiles(work: WorkTree, spec: Pathspec): Files {
  return chosen(work, spec, () => true);
}

/** Tracked files that git opens, because they may have changed since it wrote the index. */
export function changedFiles(work: WorkTree, spec: Pathspec): Files {
  return chosen(work, spec, (entry, path) => mayDiffer(work, entry, path));
}

/** Tracked files that git writes to make them equal to the index. */
export function staleFiles(work: WorkTree, spec: Pathspec): Files {
  return chosen(work, spec, (entry, path) => {
    if (!mayHaveChanged(path, work.world.changes) && statOf(work, path) === null) return true;
    // If the index's data about a file are old, git does not read the content.
    return !isStatEqual(work, entry, path) || (mayDiffer(work, entry, path) && !isEqual(work, entry, path));
  });
}

/** Tracked files whose content in the index is not that of a commit: git may read them from the work tree. */
export function differingFiles(work: WorkTree, spec: Pathspec, commit: Snapshot | null): Files {
  return chosen(work, spec, ({ path, id }) => commit === null || commit.get(path)?.id !== id);
}

/** Whether git finds a file that seems changed but is not, and notes that in the index. */
export function mayRefresh(work: WorkTree): boolean {
  return (work.index?.entries ?? []).some((entry) => {
    const path = joined(work.tree, entry.path);
    if (entry.kind !== 'file') return false;
    if (mayHaveChanged(path, work.world.changes)) return true;
    return !isStatEqual(work, entry, path) && mayEqual(work, entry, path);
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
    const path = joined(tree, entry.path);
    if (entry.kind !== 'submodule' && spec.matches(entry.path) && isChosen(entry, path)) paths.add(path);
  }
  for (const path of added) if (spec.matches(path)) paths.add(joined(tree, path));
  return { paths: [...paths], open: hasLinkOnTheWay(work) || isMoved(work), under: null };
}

/** Whether earlier commands may have redirected the way to files of the work tree. */
function isMoved({ tree, world }: WorkTree): boolean {
  const { links } = world.changes;
  return (
    links.size > 0 &&
    mayHaveChangedBelow(tree, { created: links, removed: new Set(), open: new Set(), links: new Set() })
  );
}

/** Whether a folder of tracked files is a link: git does not follow it, except in `git grep`. */
function hasLinkOnTheWay({ tree, index, world }: WorkTree): boolean {
  const folders = new Set(
    (index?.entries ?? []).map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))),
  );
  const all = new Set<string>();
  for (const folder of folders)
    for (let at = folder; at !== '' && !all.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
      all.add(at);
  return [...all].some((folder) => world.listing.kind(joined(tree, folder)) === 'link');
}

function mayDiffer(work: WorkTree, entry: IndexEntry, path: string): boolean {
  if (mayHaveChanged(path, work.world.changes)) return true;
  if (statOf(work, path) === null) return false;
  // Git reads files that were modified in the second in which the index was written.
  return !isStatEqual(work, entry, path) || entry.stat.modified >= (work.index?.time ?? 0);
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

/** Whether a file certainly has the content of its entry. */
function isEqual(work: WorkTree, { id, mode }: IndexEntry, path: string): boolean {
  const found = statOf(work, path);
  if (
    found === null ||
    !found.isFile() ||
    found.size > largestHashed ||
    mayHaveChanged(path, work.world.changes)
  )
    return false;
  return ((found.mode & 0o100) !== 0) === ((mode & 0o100) !== 0) && idOf(path) === id;
}

/** By content; text with other line ends may be stored as equal. */
function mayEqual(work: WorkTree, { id }: IndexEntry, path: string): boolean {
  const found = statOf(work, path);
  if (found === null || !found.isFile()) return false;
  return found.size > largestHashed || readPlain(path).includes('\r\n') || idOf(path) === id;
}

function idOf(path: string): string {
  const bytes = readPlain(path);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function statOf({ stats }: WorkTree, path: string): Stats | null {
  const known = stats.get(path);
  if (known !== undefined) return known;
  const found = lookAt(path);
  stats.set(path, found);
  return found;
}

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function seconds(milliseconds: number): number {
  return low(Math.floor(milliseconds / 1000));
}

function low(number: number): number {
  return number % 0x1_0000_0000;
}

/** The untracked files below the work tree. */
export interface Untracked {
  readonly files: Files;
  /** Folders that git reads on the way. */
  readonly folders: readonly string[];
}

/** With `ignored`, also the files that rules exclude. */
export function untrackedFiles(
  work: WorkTree,
  spec: Pathspec,
  options: { readonly ignored: boolean },
): Untracked {
  const { tree, index, world } = work;
  const tracked = new Set((index?.entries ?? []).map(({ path }) => joined(tree, path)));
  const rules = rulesOf(work);
  const isLeftOut = (path: string, isFolder: boolean) => !options.ignored && isIgnored(rules, path, isFolder);
  const top = topOf(spec);
  const isPassed = (path: string) =>
    path.endsWith('/.git') || !isOnTheWay(spec, path.slice(tree.length + 1)) || isLeftOut(path, true);
  const { entries, isOpen } = world.listing.below(top === '' ? tree : joined(tree, top), {
    skip: ({ path, depth }) => depth > 0 && isPassed(path),
  });
  const [paths, folders]: [string[], string[]] = [[], []];
  for (const { path, kind } of entries) {
    if (path === `${tree}/.git` || path.includes('/.git/')) continue;
    if (kind === 'folder') {
      if (path === tree || !isPassed(path)) folders.push(path);
    } else if (!tracked.has(path) && spec.mayMatch(path.slice(tree.length + 1)) && !isLeftOut(path, false))
      paths.push(path);
  }
  const { created } = world.changes;
  for (const path of created)
    if (
      path.startsWith(`${tree}/`) &&
      !path.includes('/.git/') &&
      spec.mayMatch(path.slice(tree.length + 1)) &&
      !isLeftOut(path, false)
    )
      paths.push(path);
  const isOwn = (folder: string) => folder.startsWith(`${joined(tree, '.git')}/`);
  const isChanged = [...world.changes.open].some(
    (folder) => !isOwn(folder) && mayHaveChangedBelow(tree, onlyOpen(folder)),
  );
  const open = isOpen || isChanged || index === null || rules.isUnknown || isMoved(work);
  return { files: { paths: [...new Set(paths)], open, under: isMoved(work) ? null : tree }, folders };
}

function onlyOpen(folder: string) {
  return {
    created: new Set<string>(),
    removed: new Set<string>(),
    open: new Set([folder]),
    links: new Set<string>(),
  };
}

/** The folder in which git begins to read: the one that holds the only name. */
function topOf({ named }: Pathspec): string {
  const [only, ...others] = named ?? [];
  return only === undefined || others.length > 0 ? '' : only.slice(0, Math.max(0, only.lastIndexOf('/')));
}

/** Whether git reads a folder: it compares only as many characters as the shorter of path and name has. */
function isOnTheWay({ named }: Pathspec, folder: string): boolean {
  return named === null || named.some((name) => name.startsWith(folder) || folder.startsWith(name));
}

interface Rules {
  /** Whether an earlier command may have changed them: then they may exclude other files. */
  isUnknown: boolean;
  of(folder: string): readonly IgnoreFile[];
  readonly verdicts: Map<string, boolean>;
  readonly tree: string;
}

function rulesOf({ tree, repository, excludes, world }: WorkTree): Rules {
  const files = new Map<string, readonly IgnoreFile[]>();
  const read = (file: string): IgnoreFile => {
    const text = textAt(file);
    const { changes } = world;
    // What is not there cannot be removed.
    if (mayHaveChanged(file, text === null ? { ...changes, removed: new Set() } : changes))
      rules.isUnknown = true;
    return { folder: tree, rules: ignoreRules(text) };
  };
  const rules: Rules = {
    isUnknown: false,
    tree,
    verdicts: new Map(),
    of(folder) {
      const known = files.get(folder);
      if (known !== undefined) return known;
      const above = folder === tree ? outer : rules.of(folder.slice(0, folder.lastIndexOf('/')) || '/');
      const all = [{ ...read(joined(folder, '.gitignore')), folder }, ...above];
      files.set(folder, all);
      return all;
    },
  };
  const outer = [`${repository.common}/info/exclude`, ...excludes].map(read);
  return rules;
}

function isIgnored(rules: Rules, path: string, isFolder: boolean): boolean {
  const known = rules.verdicts.get(path);
  if (known !== undefined) return known;
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const isInside =
    folder !== rules.tree && folder.length > rules.tree.length && isIgnored(rules, folder, true);
  const found = isInside || verdictOf(path, isFolder, rules.of(folder)) === 'ignored';
  rules.verdicts.set(path, found);
  return found;
}

/** A link is not followed: its rules are ignored, so more is listed. */
function textAt(file: string): string {
  const found = lookAt(file);
  try {
    return found?.isFile() === true && found.size < 4_000_000 ? readPlain(file).toString() : '';
  } catch {
    return '';
  }
}
