import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { GuardedPlace } from '@ambit/toolsets';
import { configurationFile } from '../catalogue/configuration.js';
import { generatedFolder } from '../delegate/generated-folder.js';
import { signingKeyFile } from '../trust/signing-key.js';
import type { LoadedFiles } from './guarded-places.js';

/** The guarded places that are compared during a run. */
export interface WatchedPlaces {
  /** Files whose content counts: worker files, modules, the project's configuration, keys. */
  readonly files: readonly GuardedPlace[];
  /** Policy files. They are loaded again when they change, so only their existence is compared. */
  readonly policies: readonly GuardedPlace[];
  /** Folders with watched names, also of files that appear. */
  readonly folders: readonly GuardedPlace[];
  /** The SHA-256 of loaded files, by path. */
  readonly loaded: ReadonlyMap<string, string>;
}

/**
 * The run itself writes logs and the store: the log checks its own file. A run loads no worker that another
 * one created, so the folder of created workers is not compared.
 */
export function watchedPlaces(
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
