import type { Authority } from '@ambit/core';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import type { RunWorld } from './run-world.js';

/** A worker that is being started: who it acts for, and on which model. */
export interface ActingWorker {
  readonly worker: WorkerDefinition;
  readonly authority: Authority;
  /** Empty for a worker that has none, for which a program makes a call. */
  readonly model: string;
  /** The URL that the model answers at. */
  readonly endpoint: string;
  /** Where it is at work: see `WorkerCall`. */
  readonly place: string;
}

/** A worker's roots, as the filesystem toolset and attachments take them. */
export function rootsFor(world: RunWorld, worker: WorkerDefinition) {
  const opened = world.roots.get(worker.name) ?? [];
  return worker.roots.flatMap(({ name, mode, suffixes, maxFileBytes, untrusted }) => {
    const found = opened.find((root) => root.name === name);
    if (found === undefined) return [];
    return [
      {
        name,
        folder: found.folder,
        mode,
        ...(found.outside ? { outside: true } : {}),
        ...(suffixes === null ? {} : { suffixes }),
        ...(maxFileBytes === null ? {} : { max_file_bytes: maxFileBytes }),
        ...(untrusted === null ? {} : { untrusted }),
      },
    ];
  });
}
