import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { followNow, isUnder, type Roots } from '@ambit/toolsets';
import type { Effect } from './effect.js';
import type { Listing } from './files/listing.js';
import type { Output, Word } from './word.js';

/** A folder with the shell's name for it. */
export interface Folder {
  /** Absolute, as named. */
  readonly named: string;
  /** Without a link on the way; null where that is unknown. */
  readonly real: string | null;
}

/** The environment of a command line, with its changes so far. */
export interface World {
  readonly roots: Roots;
  /** The user's home, absolute. */
  readonly home: string;
  /** Reads the file system; shared within one call. */
  readonly listing: Listing;
  /** The folders in which programs are sought, as `PATH` names them. */
  readonly searchPath: readonly string[];
  readonly changes: Changes;
  /** The folder in which `mktemp` makes files; `/tmp` if it is left out. */
  readonly temporary?: string;
}

/** Possible changes of the file system by earlier commands of the line. */
export interface Changes {
  /** Absolute paths of files and folders that may exist now, with links resolved as far as known. */
  readonly created: Set<string>;
  /** Paths that may now be missing. */
  readonly removed: Set<string>;
  /** Folders that may contain unknown new files; `/` for anywhere. */
  readonly open: Set<string>;
  /** Those of them in which the only unknown new files are what the line wrote under names with numbers. */
  readonly numbered: Set<string>;
  /** Paths that may now be links: the target may be anywhere. */
  readonly links: Set<string>;
  /** Where links lead that the line makes with one known text: absolute paths, by the path of the link. */
  readonly leads: Map<string, string>;
  /** Changes of git's indexes, by the path of the index. */
  readonly indexes: Map<string, IndexChange>;
  /** Files of settings in which git only changed what it notes about branches, as `git branch -d` does. */
  readonly branches: Set<string>;
  /** The ids of tags and branches that the line made, by the path of their file; null if that may have changed since. */
  readonly tags: Map<string, string | null>;
  /** The newest commits and stashes that the line made, by the file that names them; null if another one may be the newest. */
  readonly made: Map<string, Made | null>;
}

/** The link of the line on the way to one of these paths, and where it leads; null if that is unknown, or there are several. */
export function onlyLink(
  paths: readonly string[],
  { links, leads }: Changes,
): { readonly link: string; readonly to: string } | null {
  const [link, ...others] = [...links].filter((each) => paths.some((path) => isUnder(path, each)));
  const to = link === undefined || others.length > 0 ? undefined : leads.get(link);
  return link === undefined || to === undefined ? null : { link, to };
}

interface Made {
  /** The git folder. A change there may make another commit or stash the newest. */
  readonly folder: string;
  readonly isAmended: boolean;
}

export interface IndexChange {
  /** Paths below the work tree that may have been added, changed or taken out; null where they are unknown. */
  readonly added: ReadonlySet<string> | null;
  /** After a switch, the commits of which one is checked out; empty without a switch. */
  readonly heads: readonly string[];
  /** Whether the index may have more than the commit that is checked out after a switch. */
  readonly isChanged: boolean;
  /** Whether git made it in this line, and nothing else has written it since. */
  readonly isNew: boolean;
}

export function noChanges(): Changes {
  const sets = { created: new Set<string>(), removed: new Set<string>(), open: new Set<string>() };
  const numbered = new Set<string>();
  const links = { links: new Set<string>(), leads: new Map<string, string>() };
  return {
    ...sets,
    ...links,
    numbered,
    indexes: new Map(),
    branches: new Set(),
    tags: new Map(),
    made: new Map(),
  };
}

/** How many changes these are: as many as before means the same ones. */
export function countOf({ created, removed, open, links }: Changes): number {
  return created.size + removed.size + open.size + links.size;
}

/** The same text means the same changes. */
export function stampOf(changes: Changes): string {
  const indexes = [...changes.indexes].map(([path, { added, ...rest }]) => [path, added?.size ?? null, rest]);
  return JSON.stringify([
    countOf(changes),
    indexes,
    ...changes.leads,
    ...changes.branches,
    ...changes.tags,
    ...changes.made,
  ]);
}

/** Git's own files that name no commit. */
const plainOwn = /^\/(?:index(?:\.lock)?|objects|COMMIT_EDITMSG)(?:\/|$)/;

/** Notes that a change of this path may make another commit or stash the newest. */
export function forgetMade(path: string, { made }: Changes): void {
  for (const [file, tip] of made) {
    const isOwn = tip !== null && isUnder(path, tip.folder) && !plainOwn.test(path.slice(tip.folder.length));
    if (tip !== null && (isOwn || isUnder(tip.folder, path))) made.set(file, null);
  }
}

/** Whether earlier commands of the line may have changed the file at a path. */
export function mayHaveChanged(path: string, { created, removed, open, links }: Changes): boolean {
  return created.has(path) || [removed, open, links].some((folders) => isWithinAny(path, folders));
}

/** Whether a path is in a git folder in which git changed files that the line remembers otherwise. */
export function isOfChangedGit(path: string, { indexes, branches, tags, made }: Changes): boolean {
  return [...indexes.keys(), ...branches, ...tags.keys(), ...made.keys()].some((file) =>
    isUnder(path, posix.dirname(file)),
  );
}

/** Whether there is a file at a path, or may be one after earlier commands of the line. */
export function mayExist(path: string, { listing, changes }: World): boolean {
  return listing.kind(path) !== null || mayHaveChanged(path, changes);
}

/** Whether they may have changed what a program reads at a path, which may lead through links. */
export function mayDiffer(path: string, changes: Changes): boolean {
  if (mayHaveChanged(path, changes)) return true;
  if (countOf(changes) === 0) return false;
  const status = orNull(() => statSync(path));
  // Another name of the file changes it, too.
  if (status?.isFile() === true && status.nlink > 1) return true;
  const { real } = followNow(path);
  if (real === path) return false;
  const mayBeReplaced = changes.removed.size + changes.open.size + changes.links.size > 0;
  return real === null || mayBeReplaced || mayHaveChanged(real, changes);
}

/** Whether earlier commands may have changed a folder's content, or moved the folder. */
export function mayHaveChangedBelow(folder: string, changes: Changes): boolean {
  if (mayHaveChanged(folder, changes)) return true;
  for (const set of [changes.created, changes.removed, changes.open, changes.links])
    for (const path of set) if (path.startsWith(folder === '/' ? '/' : `${folder}/`)) return true;
  return false;
}

/** Whether one of these paths is a folder, or above or below it. */
export function areNear(paths: Iterable<string>, folder: string): boolean {
  return [...paths].some((path) => isUnder(path, folder) || isUnder(folder, path));
}

/** Whether an earlier command may have replaced a path that is followed, or a folder on the way to it, by a link. */
export function isBehindLink(path: string, { links }: Changes, isFollowed = true): boolean {
  return [...links].some((link) => isUnder(path, link) && (isFollowed || path !== link));
}

/**
 * The names in a folder: existing ones, and those that earlier commands may have added. `isExact`: all are certainly
 * there. `isCut`: it cannot be listed, so an unknown one may be a link.
 */
export function namesIn(
  { named, real }: Folder,
  { changes, listing }: World,
): { names: readonly string[]; isOpen: boolean; isExact: boolean; isCut: boolean } {
  if (real === null) return { names: [], isOpen: true, isExact: false, isCut: true };
  const isChanged = areNear(changes.open, real);
  const listed = listing.kind(real) === 'folder' ? listing.names(real) : null;
  const isCut = listed?.isOpen === true;
  const there = listed?.entries.map(({ path }) => posix.basename(path)) ?? [];
  const created = [...changes.created]
    .filter((path) => [named, real].includes(posix.dirname(path)))
    .map((path) => posix.basename(path));
  return {
    names: [...new Set([...there, ...created])].sort(),
    isOpen: isChanged || isCut,
    isCut,
    isExact: created.length === 0 && changes.removed.size === 0,
  };
}

export function mayBeRemoved(path: string, { removed }: Changes): boolean {
  return isWithinAny(path, removed);
}

function isWithinAny(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (at === '') return folders.has('/');
    if (folders.has(at)) return true;
  }
}

/** How a program is started, in one possible folder of the shell. */
export interface Context {
  readonly folder: Folder;
  readonly input: Output;
  /** Whether something reads its standard output. Otherwise no work is done to know it. */
  readonly isRead: boolean;
  readonly world: World;
}

/** What a program does with its words. */
export interface Described {
  readonly effects: readonly Effect[];
  /** Its standard output; unknown if absent. */
  readonly output?: Output;
  /** How much of its standard output is that of the only command that it runs, perhaps several times. */
  readonly printsOfCommand?: 'all' | 'beginning';
  /** Whether it leaves the standard input for the next command; it may read it where this is left out. */
  readonly leavesInput?: boolean;
  /** The files that say what it runs, where that is opaque. */
  readonly definedBy?: DefinedBy;
}

/** What a lister says: with or without the output; a text says why it is unknown. */
export type ListerResult = Described | readonly Effect[] | string;

export function describedOf(result: ListerResult): Described | string {
  return typeof result === 'string' || 'effects' in result ? result : { effects: result };
}

export interface DefinedBy {
  /** Their names, in its folder or else the nearest one above that has one, and in folders that its words name. */
  readonly files: string;
  /** Options whose value is another such file, or a folder of them. */
  readonly options?: string;
  /** How words begin that choose packages in folders below, whose files count too. */
  readonly packages?: string;
  /** Options whose value is a module of Python. */
  readonly modules?: string;
}

/** The effects of a program; null if the table lacks it. `name` has no folders. */
export type Perform = (name: string, words: readonly Word[], context: Context) => Performed | null;

/** The same, with nothing left out. */
export type Performed = Described & Required<Pick<Described, 'output' | 'leavesInput'>>;
