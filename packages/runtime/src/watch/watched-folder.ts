import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GuardChange } from '@ambit/core';
import { type GuardedPlace, isNamed } from '@ambit/toolsets';

/** A folder in which files of some names are guarded, as it was when the run began. */
export interface WatchedFolder {
  /** The existing files with such names. */
  readonly files: readonly GuardedPlace[];
  /** The files of such names that are new. */
  readonly compare: () => readonly GuardChange[];
}

/** Remembers the existing names. A folder is read again only if its times differ. */
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

function markOf(path: string): string {
  try {
    const { dev, ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return '';
  }
}

function namesIn(place: GuardedPlace): readonly string[] {
  try {
    return readdirSync(place.path).filter((name) => isNamed(name, place));
  } catch {
    return [];
  }
}
