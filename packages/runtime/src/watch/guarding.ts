import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type GuardChange, type GuardWatch, orNull } from '@ambit/core';
import { digestOfPlain, type GuardedPlace, isNamed } from '@ambit/toolsets';
import { configurationFile } from '../catalogue/configuration.js';
import { generatedFolder } from '../delegate/generated-folder.js';
import { markOf } from '../trust/own-files.js';
import { signingKeyFile } from '../trust/signing-key.js';
import { guardedPlaces, type LoadedFiles } from './guarded-places.js';

/** Compares the existence, identity and content of guarded files. Rereads a file only if its size or times differ. */
function createWatch({ files, policies, folders, loaded }: ReturnType<typeof watchedPlaces>): GuardWatch {
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

export function guardingOf(opening: LoadedFiles, of: { readonly log: string; readonly state: string }) {
  const guarded = guardedPlaces(opening, of);
  return { guarded, watch: createWatch(watchedPlaces(opening, { guarded, state: of.state })) };
}

/** Omits logs and the store, which the run writes, and created workers, which it does not load. */
function watchedPlaces(
  { root, files, observing, registry, configuration }: LoadedFiles,
  of: { readonly guarded: readonly GuardedPlace[]; readonly state: string },
) {
  const counting = of.guarded.filter(({ what }) => contentCounts.includes(what));
  const keys = [join(of.state, 'log.key'), signingKeyFile(of.state)].filter((path) => existsSync(path));
  const workers = [...registry.workers.values()];
  const { sha256 } = configuration;
  return {
    /** Files whose content counts: worker files, modules, the project's configuration, keys. */
    files: [
      ...counting.filter(({ suffix, names }) => suffix === undefined && names === undefined),
      ...keys.map((path) => ({ path, what: 'key' })),
    ],
    /** They are reloaded, so only their existence is compared. */
    policies: [...files, ...observing.files].map(({ name }) => ({
      path: resolve(root, name),
      what: 'policy file',
    })),
    /** Folders in which files of some names are watched, also new ones. */
    folders: counting.filter(
      ({ path, suffix }) => suffix !== undefined && basename(path) !== generatedFolder,
    ),
    loaded: new Map<string, string>([
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

/** Remembers a file. `loaded` is the digest that the run read from it before. */
function watchedFile({ path, what }: GuardedPlace, loaded?: string) {
  const first = lookAt(path);
  // Null if it is too large or unreadable.
  const digestNow = () => digestOfPlain(path, { most: mostBytes });
  const found = first === null ? null : digestNow();
  const digest = loaded ?? found;
  // A change since loading is found at the first comparison.
  let mark = digest === found ? first?.mark : undefined;

  /** A file that is too large to reread counts as changed once it was written. */
  function contentOf(now: Look, isExact: boolean): GuardChange['how'] | null {
    if (now.mark === mark) return null;
    if (digest === null || digest !== digestNow()) return 'changed';
    if (isExact) return 'written';
    mark = now.mark;
    return null;
  }

  return {
    /** At most one change. `isExact`: a written file counts whatever its content is. */
    compare(isExact: boolean): readonly GuardChange[] {
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
function lookAt(path: string): Look | null {
  return orNull(() => {
    const status = statSync(path, { bigint: true });
    if (!status.isFile()) return null;
    const { dev, ino, size, mtimeNs, ctimeNs } = status;
    const real = realpathSync.native(path);
    return { real, identity: `${dev}:${ino}`, mark: `${size} ${mtimeNs} ${ctimeNs}`, size };
  });
}

const mostBytes = 16 * 1024 * 1024;

/** Rereads a folder only if its times differ. */
function watchedFolder(place: GuardedPlace) {
  const { path, what } = place;
  let mark = markOf(path);
  const names = new Set(namesIn(place));
  return {
    files: [...names].map((name) => ({ path: join(path, name), what })),
    compare(): readonly GuardChange[] {
      const now = markOf(path);
      if (now === mark) return [];
      const added = namesIn(place).filter((name) => !names.has(name));
      if (added.length === 0) mark = now;
      return added.map((name) => ({ path: join(path, name), what, how: 'appeared' }));
    },
  };
}

function namesIn(place: GuardedPlace): readonly string[] {
  return orNull(() => readdirSync(place.path).filter((name) => isNamed(name, place))) ?? [];
}
