import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import type { Files } from '../../effect.js';
import type { World } from '../../world.js';
import { type IgnoreFile, ignoreRules, verdictOf } from '../ignore-rules.js';
import { joined } from '../listing.js';
import { mayHaveChanged, mayHaveChangedBelow } from './changed.js';
import type { Pathspec } from './pathspec.js';
import type { Snapshot } from './store/history.js';
import type { GitIndex, IndexEntry } from './store/index-file.js';
import type { Repository } from './store/repository.js';

/** A work tree with what git knows about its files. */
export interface WorkTree {
  readonly tree: string;
  readonly repository: Repository;
  /** Null where it is unknown. */
  readonly index: GitIndex | null;
  readonly world: World;
  /** Files of ignore rules besides those in the work tree. */
  readonly excludes: readonly string[];
}

const largestHashed = 8_000_000;

/** Tracked files, those of submodules left out. */
export function trackedFiles(work: WorkTree, spec: Pathspec): Files {
  return chosen(work, spec, () => true);
}

/** Tracked files that git opens, because they may have changed since it wrote the index. */
export function changedFiles(
  work: WorkTree,
  spec: Pathspec,
  options: { readonly missing?: boolean } = {},
): Files {
  const { missing = false } = options;
  return chosen(
    work,
    spec,
    (entry, path) => (missing && statOf(path) === null) || mayDiffer(work, entry, path),
  );
}

/** Tracked files whose content in the index is not that of a commit: git may read them from the work tree. */
export function differingFiles(work: WorkTree, spec: Pathspec, commit: Snapshot | null): Files {
  return chosen(work, spec, ({ path, id }) => commit === null || commit.get(path)?.id !== id);
}

/** Whether git finds a file that only seems to have changed, and notes in the index that it has not. */
export function mayRefresh(work: WorkTree): boolean {
  return (work.index?.entries ?? []).some((entry) => {
    const path = joined(work.tree, entry.path);
    return entry.kind === 'file' && mayDiffer(work, entry, path) && mayEqual(entry, path);
  });
}

function chosen(
  work: WorkTree,
  spec: Pathspec,
  isChosen: (entry: IndexEntry, path: string) => boolean,
): Files {
  const { tree, index, world } = work;
  if (index === null) return { paths: [], open: true, under: isMoved(work) ? null : tree };
  const paths = new Set<string>();
  for (const entry of index.entries) {
    const path = joined(tree, entry.path);
    if (entry.kind !== 'submodule' && spec.matches(entry.path) && isChosen(entry, path)) paths.add(path);
  }
  const isOpen = hasLinkOnTheWay(work) || isMoved(work);
  for (const path of world.changes.created)
    if (
      path.startsWith(`${tree}/`) &&
      index.entries.some((each) => path.endsWith(each.path)) &&
      spec.matches(path.slice(tree.length + 1))
    )
      paths.add(path);
  return { paths: [...paths], open: isOpen, under: null };
}

/** Whether the way to files of the work tree may lead elsewhere because of commands before. */
function isMoved({ tree, world }: WorkTree): boolean {
  const { links } = world.changes;
  return links.size > 0 && mayHaveChangedBelow(tree, { created: links, open: new Set(), links: new Set() });
}

/** Whether a folder of tracked files is a link: git does not look behind it, but for `git grep`. */
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

function mayDiffer({ index, world }: WorkTree, entry: IndexEntry, path: string): boolean {
  if (mayHaveChanged(path, world.changes)) return true;
  const found = statOf(path);
  if (found === null) return false;
  const { changed, modified, inode, user, group, size } = entry.stat;
  const isExecutable = (found.mode & 0o100) !== 0;
  const isSame =
    seconds(found.mtimeMs) === modified &&
    seconds(found.ctimeMs) === changed &&
    low(found.ino) === inode &&
    low(found.uid) === user &&
    low(found.gid) === group &&
    low(found.size) === size &&
    (entry.kind === 'link' || isExecutable === ((entry.mode & 0o100) !== 0));
  // Whatever was modified when the index was written, or a moment before, git looks at.
  return !isSame || modified >= (index?.time ?? 0) - 1;
}

/** By its content, as far as it is stored as it is. */
function mayEqual(entry: IndexEntry, path: string): boolean {
  try {
    const found = statOf(path);
    if (found === null || !found.isFile()) return false;
    if (found.size > largestHashed) return true;
    const bytes = readFileSync(path);
    if (bytes.includes('\r\n')) return true;
    return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === entry.id;
  } catch {
    return true;
  }
}

function statOf(path: string): Stats | null {
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

/** What is below the work tree that git does not track. */
export interface Untracked {
  readonly files: Files;
  /** Folders that git reads on the way. */
  readonly folders: readonly string[];
}

/** With `ignored`, the files that rules leave out too. */
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
  const { entries, isOpen } = world.listing.below(top === '' ? tree : joined(tree, top), {
    skip: ({ path, depth }) => depth > 0 && (path.endsWith('/.git') || isLeftOut(path, true)),
  });
  const [paths, folders]: [string[], string[]] = [[], []];
  for (const { path, kind } of entries) {
    if (path === `${tree}/.git` || path.includes('/.git/')) continue;
    if (kind === 'folder') folders.push(path);
    else if (!tracked.has(path) && spec.matches(path.slice(tree.length + 1)) && !isLeftOut(path, false))
      paths.push(path);
  }
  const { created } = world.changes;
  for (const path of created)
    if (
      path.startsWith(`${tree}/`) &&
      !path.includes('/.git/') &&
      spec.matches(path.slice(tree.length + 1)) &&
      !isLeftOut(path, false)
    )
      paths.push(path);
  const isChanged = [...world.changes.open].some((folder) => mayHaveChangedBelow(tree, onlyOpen(folder)));
  const open = isOpen || isChanged || index === null || rules.isUnknown || isMoved(work);
  return { files: { paths: [...new Set(paths)], open, under: isMoved(work) ? null : tree }, folders };
}

function onlyOpen(folder: string) {
  return { created: new Set<string>(), open: new Set([folder]), links: new Set<string>() };
}

/** The folder below which everything lies that it can match. */
function topOf({ named }: Pathspec): string {
  const [only, ...others] = named ?? [];
  return only === undefined || others.length > 0 ? '' : only;
}

interface Rules {
  /** Whether a command before may have changed them: then others may be left out, or fewer. */
  isUnknown: boolean;
  of(folder: string): readonly IgnoreFile[];
  readonly verdicts: Map<string, boolean>;
  readonly tree: string;
}

function rulesOf({ tree, repository, excludes, world }: WorkTree): Rules {
  const files = new Map<string, readonly IgnoreFile[]>();
  const read = (file: string): IgnoreFile => {
    if (mayHaveChanged(file, world.changes)) rules.isUnknown = true;
    return { folder: tree, rules: ignoreRules(textAt(file)) };
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

/** A link is not followed: its rules are left aside, so that more is listed. */
function textAt(file: string): string {
  const found = statOf(file);
  try {
    return found?.isFile() === true && found.size < 4_000_000 ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}
