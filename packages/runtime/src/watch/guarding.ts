import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { GuardChange, GuardWatch } from '@ambit/core';
import type { GuardedPlace } from '@ambit/toolsets';
import { configurationFile } from '../catalogue/configuration.js';
import { generatedFolder } from '../delegate/generated-folder.js';
import { signingKeyFile } from '../trust/signing-key.js';
import { guardedPlaces, type LoadedFiles } from './guarded-places.js';
import { lookAt, watchedFile, watchedFolder } from './watched-file.js';

/** Compares the existence, identity and content of guarded files. Rereads a file only if its size or times differ. */
function createWatch({ files, policies, folders, loaded }: WatchedPlaces): GuardWatch {
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

interface WatchedPlaces {
  /** Files whose content counts: worker files, modules, the project's configuration, keys. */
  readonly files: readonly GuardedPlace[];
  /** Policy files are reloaded, so only their existence is compared. */
  readonly policies: readonly GuardedPlace[];
  /** Folders in which files of some names are watched, also new ones. */
  readonly folders: readonly GuardedPlace[];
  readonly loaded: ReadonlyMap<string, string>;
}

/** Omits logs and the store, which the run writes, and created workers, which it does not load. */
function watchedPlaces(
  { root, files, observing, registry, configuration }: LoadedFiles,
  of: { readonly guarded: readonly GuardedPlace[]; readonly state: string },
): WatchedPlaces {
  const counting = of.guarded.filter(({ what }) => contentCounts.includes(what));
  const keys = [join(of.state, 'log.key'), signingKeyFile(of.state)].filter((path) => existsSync(path));
  const workers = [...registry.workers.values()];
  const { sha256 } = configuration;
  return {
    files: [
      ...counting.filter(({ suffix, names }) => suffix === undefined && names === undefined),
      ...keys.map((path) => ({ path, what: 'key' })),
    ],
    policies: [...files, ...observing.files].map(({ name }) => ({
      path: resolve(root, name),
      what: 'policy file',
    })),
    folders: counting.filter(
      ({ path, suffix }) => suffix !== undefined && basename(path) !== generatedFolder,
    ),
    loaded: new Map([
      ...(sha256 === null ? [] : [[join(root, configurationFile), sha256] as const]),
      ...workers.map((worker) => [worker.path, worker.sha256] as const),
      ...workers.flatMap(({ toolsets }) =>
        toolsets.flatMap(({ path, sha256: digest }) =>
          path === null || digest === null ? [] : [[path, digest] as const],
        ),
      ),
    ]),
  };
}

const contentCounts: readonly string[] = ['project configuration', 'worker file', 'toolset module'];
