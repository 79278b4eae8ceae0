import { basename, dirname, join, resolve } from 'node:path';
import { fromHome } from '@ambit/core';
import { codeOf, type GuardedPlace } from '@ambit/toolsets';
import { configurationFile, type LoadedConfiguration } from '../catalogue/configuration.js';
import type { WorkerRegistry } from '../catalogue/worker-registry.js';
import { generatedFolder } from '../delegate/generated-folder.js';
import type { ReadPolicies } from '../policies/read-policies.js';
import { type Environment, stateFolder } from '../trust/state-folder.js';

export interface LoadedFiles {
  readonly environment: Environment;
  /** Real, as `home` is. */
  readonly root: string;
  readonly home: string;
  readonly files: ReadPolicies['files'];
  readonly observing: ReadPolicies;
  readonly registry: WorkerRegistry;
  readonly configuration: LoadedConfiguration;
}

/** Files that a run's own calls may not change: all that judge, answer or record it. */
export function guardedPlaces(
  { environment, root, home, files, observing, registry }: LoadedFiles,
  of: { readonly log: string; readonly state: string },
): readonly GuardedPlace[] {
  const modules = [...registry.workers.values()].flatMap(({ toolsets }) =>
    toolsets.flatMap(({ paths }) => paths),
  );
  const registries = [...registry.workers.values()].map(({ path }) => dirname(path));
  const places: readonly GuardedPlace[] = [
    ...[...files, ...observing.files].flatMap(({ name, path }) => [
      { path: resolve(root, name), what: 'policy file' },
      { path, what: 'policy file' },
    ]),
    { path: '/etc/ambit', what: 'policy file' },
    // A later run would read a new file.
    { path: join(root, configurationFile), what: 'project configuration' },
    ...[...registry.workers.values()].map(({ path }) => ({ path, what: 'worker file' })),
    // A later run may call a new worker.
    ...registries
      .flatMap((path) => [path, join(path, generatedFolder)])
      .map((path) => ({ path, suffix: '.worker', what: 'worker file' })),
    ...serverFiles(registry, { root, home }).map((path) => ({ path, what: 'toolset module' })),
    ...modules.map((path) => ({ path, what: 'toolset module' })),
    { path: of.log, what: 'log' },
    { path: `${of.log}.lock`, what: 'log' },
    { path: `${of.log}.heads`, what: 'log' },
    { path: dirname(of.log), names: namesBeside(of.log), what: 'log' },
    { path: join(dirname(of.log), 'manifests'), names: /^[0-9a-f]{64}\.json\.gz$/, what: 'log' },
    { path: of.state, what: 'state folder' },
    // The parts of other working folders too: their data loosen later runs.
    { path: stateFolder(environment), what: 'state folder' },
    // The former default folder of logs; other files beside a log elsewhere belong to the user.
    { path: join(root, '.ambit'), what: 'log' },
  ];
  const seen = new Set<string>();
  return places.filter(({ path, suffix = '', names }) => {
    const place = `${path}\0${suffix}\0${names?.source ?? ''}`;
    return !seen.has(place) && seen.add(place);
  });
}

/** The later segments of a log, and its set-aside parts: `run.0002.jsonl`, `run.jsonl.torn-1`. */
function namesBeside(log: string): RegExp {
  const [, stem = '', end = ''] = /^(.*?)(\.jsonl)?$/s.exec(basename(log)) ?? [];
  const [start, rest] = [stem, end].map((text) =>
    text.replace(/[^\w]/g, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`),
  );
  return new RegExp(
    `^${start}(?:\\.\\d{4,}${rest}|${rest}(?:\\.heads)?\\.torn-\\d+|\\.\\d{4,}${rest}\\.torn-\\d+)$`,
    'u',
  );
}

function serverFiles(
  { workers }: WorkerRegistry,
  { root, home }: { readonly root: string; readonly home: string },
): readonly string[] {
  return [...workers.values()].flatMap(({ toolsets }) =>
    toolsets.flatMap(({ server }) => {
      if (server?.program.transport !== 'stdio') return [];
      const { command, folder } = server.program;
      const place = { command: fromHome(command, home), folder: resolve(root, fromHome(folder, home)) };
      return codeOf({ ...server.program, ...place });
    }),
  );
}
