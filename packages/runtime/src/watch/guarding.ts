import type { GuardChange, GuardWatch } from '@ambit/core';
import type { GuardedPlace } from '@ambit/toolsets';
import { guardedPlaces, type LoadedFiles } from './guarded-places.js';
import { lookAt, watchedFile } from './watched-file.js';
import { watchedFolder } from './watched-folder.js';
import { type WatchedPlaces, watchedPlaces } from './watched-places.js';

/**
 * Remembers the guarded files, and compares them later: existence, identity, content. A file is read again
 * only if its size or its times differ.
 */
export function createWatch({ files, policies, folders, loaded }: WatchedPlaces): GuardWatch {
  const watchedFolders = folders.map(watchedFolder);
  const all = [...files, ...watchedFolders.flatMap((folder) => folder.files)];
  const watchedFiles = [...new Map(all.map((place) => [place.path, place])).values()].map((place) =>
    watchedFile(place, loaded.get(place.path)),
  );
  let executions = 0;

  function compare(): readonly GuardChange[] {
    const isExact = executions > 0;
    const gone = policies.filter(({ path }) => lookAt(path) === null);
    const changes = [
      ...gone.map(({ path, what }) => ({ path, what, how: 'gone' as const })),
      ...watchedFiles.flatMap((file) => file.compare(isExact)),
      ...watchedFolders.flatMap((folder) => folder.compare()),
    ];
    return [...new Map(changes.map((change) => [change.path, change])).values()];
  }

  return {
    compare,
    around() {
      executions += 1;
      return () => {
        const changes = compare();
        executions -= 1;
        return changes;
      };
    },
  };
}

/** The files that no call of a run may change, and their comparison with the beginning. */
interface Guarding {
  readonly guarded: readonly GuardedPlace[];
  readonly watch: GuardWatch;
}

export function guardingOf(
  opening: LoadedFiles,
  of: { readonly log: string; readonly state: string },
): Guarding {
  const guarded = guardedPlaces(opening, of);
  return { guarded, watch: createWatch(watchedPlaces(opening, { guarded, state: of.state })) };
}
