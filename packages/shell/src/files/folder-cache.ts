import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { orNull } from '@ambit/core';

export type Kind = 'file' | 'folder' | 'link' | 'other';

/** The direct content of a folder: sorted names with kinds. */
export interface FolderContents {
  readonly names: readonly string[];
  readonly kinds: readonly Kind[];
  /** Why it is incomplete, for people; null if it is complete. */
  readonly why: string | null;
}

/** Folders that were read, cached between calls while they are unchanged. */
export interface FolderCache {
  /** Reads for one call: each folder is looked at once. */
  forOneCall(): { read(real: string): FolderContents; kind(path: string): Kind | null };
  /** Empties the cache. Call it after an opaque program has run. */
  forget(): void;
}

interface Kept {
  readonly contents: FolderContents;
  readonly stamp: string;
}

/** The most names that are kept between calls. */
const mostKept = 300_000;

/**
 * A folder's times are as coarse as the file system's clock. Only a folder that was unchanged for this long
 * when it was read is certain to change its times with its next change.
 */
const settledAfter = 2_000_000_000n;

/** `now` in milliseconds, by the clock that stamps files. */
export function folderCache(now: () => number): FolderCache {
  const kept = new Map<string, Kept>();
  let count = 0;
  function keep(real: string, value: Kept): void {
    drop(real);
    kept.set(real, value);
    count += value.contents.names.length + 1;
    for (const [oldest] of kept) {
      if (count <= mostKept) break;
      drop(oldest);
    }
  }
  function drop(real: string): void {
    const old = kept.get(real);
    if (old === undefined) return;
    kept.delete(real);
    count -= old.contents.names.length + 1;
  }
  function read(real: string): FolderContents {
    if (isSystem(real)) return nothing('what the system shows there differs from process to process');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const at = BigInt(Math.trunc(now())) * 1_000_000n;
      const before = folderAt(real);
      if (typeof before === 'string') return nothing(before);
      const stamp = stampOf(before);
      const old = kept.get(real);
      if (old?.stamp === stamp) return old.contents;
      const contents = readFolder(real);
      const after = folderAt(real);
      if (typeof after === 'string' || stampOf(after) !== stamp) continue;
      const isSettled = before.mtimeNs + settledAfter < at && before.ctimeNs + settledAfter < at;
      if (isSettled && contents.why === null) keep(real, { contents, stamp });
      else drop(real);
      return contents;
    }
    return nothing('a folder changes while it is listed');
  }
  return {
    forOneCall: () => foldersOfCall(read),
    forget() {
      kept.clear();
      count = 0;
    },
  };
}

/** Keeps what it has read: during a call, a folder stays as it was seen first. */
function foldersOfCall(readCached: (real: string) => FolderContents): ReturnType<FolderCache['forOneCall']> {
  const seen = new Map<string, FolderContents>();
  return {
    read(real) {
      const contents = seen.get(real) ?? readCached(real);
      seen.set(real, contents);
      return contents;
    },
    kind(path) {
      const slash = path.lastIndexOf('/');
      const folder = seen.get(slash <= 0 ? '/' : path.slice(0, slash));
      const name = path.slice(slash + 1);
      // The root is in no folder.
      const isKnown = folder !== undefined && folder.why === null && name !== '';
      return isKnown && !holds(folder.names, name) ? null : orNull(() => kindOf(lstatSync(path)));
    },
  };
}

/** Whether a name is among sorted ones. */
function holds(names: readonly string[], name: string): boolean {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] as string) < name) low = middle + 1;
    else high = middle;
  }
  return names[low] === name;
}

/** File systems that the system generates, or that differ between processes. */
function isSystem(real: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(real);
}

function nothing(why: string): FolderContents {
  return { names: [], kinds: [], why };
}

function folderAt(real: string): BigIntStats | string {
  const stat = orNull(() => lstatSync(real, { bigint: true }));
  if (stat === null) return 'a folder that cannot be looked at';
  return stat.isDirectory() ? stat : 'not a folder';
}

function stampOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mtimeNs}:${ctimeNs}`;
}

function readFolder(real: string): FolderContents {
  let found = orNull(() => readdirSync(real, { withFileTypes: true }));
  if (found === null) return nothing('a folder that cannot be read');
  let why: string | null = null;
  // Invalid UTF-8 is decoded to this character, which a name may also contain.
  if (found.some(({ name }) => name.includes('\uFFFD')) && !areUtf8(real)) {
    why = 'a name that is not UTF-8';
    found = found.filter(({ name }) => !name.includes('\uFFFD'));
  }
  found.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { names: found.map(({ name }) => name), kinds: found.map(kindOf), why };
}

function areUtf8(real: string): boolean {
  const names = orNull(() => readdirSync(real, { encoding: 'buffer' }));
  return names?.every((name) => Buffer.from(name.toString('utf8')).equals(name)) === true;
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Kind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
