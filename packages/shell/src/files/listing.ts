import { foldersUp } from '@ambit/core';
import type { FolderCache, Kind } from './folder-cache.js';

/** The files below a folder. Real folders are walked; links are listed and never followed. */
export interface Entry {
  /** Absolute and real. */
  readonly path: string;
  readonly kind: Kind;
  /** How deep below the start: 0 for the start itself. */
  readonly depth: number;
}

export interface Listed {
  /** The start first, folders before what is in them, names sorted. */
  readonly entries: readonly Entry[];
  /** Whether it is incomplete: an unreadable folder, a name that is not UTF-8, or too many entries. */
  readonly isOpen: boolean;
  /** Why it is incomplete, for people; null if it is complete. */
  readonly why: string | null;
}

export interface ListOptions {
  /** Deepest level that is listed; the start is 0. */
  readonly depth?: number;
  /** Folders that are listed but not entered. Called for each folder, the start too, before its content. */
  readonly skip?: (entry: Entry) => boolean;
}

/** Reads the file system for one call. Each folder is read once, and again only if it changed. */
export interface Listing {
  /** Everything at and below a real folder, or the file itself; empty if it is missing. */
  below(real: string, options?: ListOptions): Listed;
  /** The direct content of a real folder, sorted, without the folder; empty if it is not a folder. */
  names(real: string): Listed;
  /** The kind of the file, without following a link; null if it is missing. */
  kind(path: string): Kind | null;
}

/** The most entries that are listed for one command. */
export const mostEntries = 250_000;

/** The most entries that are visited for one command line, those of folders that it lists again included. */
const mostVisits = 1_000_000;

/** A listing for one call. The cache may be shared between calls. */
export function listingFrom(cache: FolderCache): Listing {
  const folders = cache.forOneCall();
  const left = { visits: mostVisits };
  return {
    below: (real, options = {}) => walk({ folders, left, options }, real),
    names(real) {
      if (folders.kind(real) !== 'folder') return { entries: [], isOpen: false, why: null };
      const { names, kinds, why } = folders.read(real);
      const entries = names.map((name, at) => ({
        path: joinPath(real, name),
        kind: kinds[at] ?? 'other',
        depth: 1,
      }));
      return { entries, isOpen: why !== null, why };
    },
    kind: (path) => folders.kind(path),
  };
}

interface Walk {
  readonly folders: ReturnType<FolderCache['forOneCall']>;
  readonly left: { visits: number };
  readonly options: ListOptions;
}

function walk({ folders, left, options }: Walk, real: string): Listed {
  const { depth: deepest = Number.POSITIVE_INFINITY, skip } = options;
  const kind = folders.kind(real);
  if (kind === null) return { entries: [], isOpen: false, why: null };
  const start: Entry = { path: real, kind, depth: 0 };
  const entries: Entry[] = [];
  const pending: Entry[] = [start];
  let why: string | null = null;
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    entries.push(entry);
    if (entry.kind !== 'folder' || entry.depth >= deepest || skip?.(entry) === true) continue;
    const found = folders.read(entry.path);
    why ??= found.why;
    const room = Math.min(mostEntries - entries.length - pending.length, left.visits);
    if (found.names.length > room) why = `more than ${mostEntries} entries`;
    const count = Math.min(found.names.length, Math.max(room, 0));
    left.visits -= count;
    const depth = entry.depth + 1;
    for (let at = count - 1; at >= 0; at -= 1)
      pending.push({
        path: joinPath(entry.path, found.names[at] ?? ''),
        kind: found.kinds[at] ?? 'other',
        depth,
      });
  }
  return { entries, isOpen: why !== null, why };
}

export function joinPath(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

/** The paths that lie below no other one, each once. */
export function outermost(paths: Iterable<string>): readonly string[] {
  const all = new Set(paths);
  return [...all].filter(
    (path) =>
      !foldersUp(path)
        .slice(1)
        .some((folder) => all.has(folder)),
  );
}
