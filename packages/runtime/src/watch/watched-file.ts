import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GuardChange } from '@ambit/core';
import { digestOfPlain, type GuardedPlace, isNamed } from '@ambit/toolsets';
import { markOf } from '../trust/own-files.js';

interface WatchedFile {
  /** At most one change. `isExact`: any write counts, whatever the content. */
  readonly compare: (isExact: boolean) => readonly GuardChange[];
}

/** Remembers a file. `loaded` is the digest that the run read from it before. */
export function watchedFile({ path, what }: GuardedPlace, loaded?: string): WatchedFile {
  const first = lookAt(path);
  const found = first === null ? null : digestOfFile(path);
  const digest = loaded ?? found;
  // A change since loading is found at the first comparison.
  let mark = digest === found ? first?.mark : undefined;

  /** A file that is too large to reread counts as changed once it was written. */
  function contentOf(now: Look, isExact: boolean): GuardChange['how'] | null {
    if (now.mark === mark) return null;
    if (digest === null || digest !== digestOfFile(path)) return 'changed';
    if (isExact) return 'written';
    mark = now.mark;
    return null;
  }

  return {
    compare(isExact) {
      const now = lookAt(path);
      const how = differenceOf(first, now) ?? (now === null ? null : contentOf(now, isExact));
      return how === null ? [] : [{ path, what, how }];
    },
  };
}

function differenceOf(first: Look | null, now: Look | null): GuardChange['how'] | null {
  if (first === null) return now === null ? null : 'appeared';
  if (now === null) return 'gone';
  return now.real === first.real && now.identity === first.identity ? null : 'replaced';
}

interface Look {
  readonly real: string;
  /** Device and inode. */
  readonly identity: string;
  /** Changes whenever the file is written: size, and both times in nanoseconds. */
  readonly mark: string;
  readonly size: bigint;
}

/** Follows links. Null if it is missing. */
export function lookAt(path: string): Look | null {
  try {
    const status = statSync(path, { bigint: true });
    if (!status.isFile()) return null;
    const { dev, ino, size, mtimeNs, ctimeNs } = status;
    const real = realpathSync.native(path);
    return { real, identity: `${dev}:${ino}`, mark: `${size} ${mtimeNs} ${ctimeNs}`, size };
  } catch {
    return null;
  }
}

/** Null if it is too large or unreadable. */
function digestOfFile(path: string): string | null {
  return digestOfPlain(path, { most: mostBytes });
}

const mostBytes = 16 * 1024 * 1024;

interface WatchedFolder {
  readonly files: readonly GuardedPlace[];
  readonly compare: () => readonly GuardChange[];
}

/** Rereads a folder only if its times differ. */
export function watchedFolder(place: GuardedPlace): WatchedFolder {
  const { path, what } = place;
  let mark = markOf(path);
  const names = new Set(namesIn(place));
  return {
    files: [...names].map((name) => ({ path: join(path, name), what })),
    compare() {
      const now = markOf(path);
      if (now === mark) return [];
      const added = namesIn(place).filter((name) => !names.has(name));
      if (added.length === 0) mark = now;
      return added.map((name) => ({ path: join(path, name), what, how: 'appeared' }));
    },
  };
}

function namesIn(place: GuardedPlace): readonly string[] {
  try {
    return readdirSync(place.path).filter((name) => isNamed(name, place));
  } catch {
    return [];
  }
}
