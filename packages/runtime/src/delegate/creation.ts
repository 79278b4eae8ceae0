import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Policy } from '@ambit/core';
import type { CreatedDefaults } from '../catalogue/configuration-file.js';
import { type OpenedRoot, rootsLayer } from '../catalogue/worker-layers.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';

/** How workers that are created join a run. */
export interface Creation {
  /** The real folder of the registry; null where there is none. */
  readonly folder: string | null;
  /** The real working folder. */
  readonly root: string;
  /** What holds where a creator says nothing else. */
  readonly defaults: CreatedDefaults;
  /** Names that are given or about to be given. */
  readonly names: Set<string>;
  /** Lets a worker be called from now on. */
  readonly admit: (worker: WorkerDefinition) => void;
}

/** What a run knows of its workers; those that are created are added. */
export interface KnownWorkers {
  readonly workers: Map<string, WorkerDefinition>;
  readonly roots: Map<string, readonly OpenedRoot[]>;
  readonly layers: Map<string, Policy>;
}

export async function openCreation(
  root: string,
  known: KnownWorkers,
  defaults: CreatedDefaults,
): Promise<Creation> {
  const [first] = known.workers.values();
  return {
    folder: first === undefined ? null : await realpath(dirname(first.path)),
    root,
    defaults,
    names: new Set(),
    admit(worker) {
      // The folders that its creator's roots were when the run began.
      const opened = known.roots.get(worker.createdBy ?? '') ?? [];
      const roots = opened.filter(({ name }) => worker.roots.some((root) => root.name === name));
      const layer = rootsLayer(worker, roots);
      known.roots.set(worker.name, roots);
      if (layer !== null) known.layers.set(worker.name, layer);
      known.workers.set(worker.name, worker);
    },
  };
}
