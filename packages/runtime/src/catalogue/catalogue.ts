import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Authority, type Json, type Policy, stated, type Toolset } from '@ambit/core';
import type { GuardedPlace } from '@ambit/toolsets';
import type { GivenByKind, ToolsetFactory } from '../worker-file/given-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import type { CreatedDefaults } from './configuration.js';
import { type OpenedRoot, rootsLayer } from './worker-layers.js';

/** The workers of one run, and what they can refer to. Created workers join it. */
export interface Catalogue {
  /** Canonical, as `home` is. */
  readonly root: string;
  readonly home: string;
  /** Files that no call may touch without `sys.guard`. */
  readonly guarded: readonly GuardedPlace[];
  readonly workers: ReadonlyMap<string, WorkerDefinition>;
  readonly roots: ReadonlyMap<string, readonly OpenedRoot[]>;
  /** The restrictions of each worker's roots; one value for each worker, so a chain has it once. */
  readonly layers: ReadonlyMap<string, Policy>;
  /** The model of the whole run, for workers that neither state nor inherit one. */
  readonly model: string | null;
  /** Instances made in code, by name. */
  readonly shared: ReadonlyMap<string, Toolset>;
  /** Factories for each worker call, by name. */
  readonly factories: ReadonlyMap<string, ToolsetFactory>;
  readonly creation: Creation;
  /** Lets a created worker be called from now on. */
  readonly admit: (worker: WorkerDefinition) => void;
}

interface Creation {
  /** The real folder of the workers' files; null without one. */
  readonly folder: string | null;
  readonly defaults: CreatedDefaults;
  /** Names of existing and coming workers. */
  readonly names: Set<string>;
}

interface Content extends Pick<Catalogue, 'root' | 'home' | 'guarded' | 'workers' | 'roots'> {
  readonly model: string | undefined;
  readonly toolsets: GivenByKind;
  readonly defaults: CreatedDefaults;
}

export async function createCatalogue(content: Content): Promise<Catalogue> {
  const { root, home, guarded, model = null, toolsets, defaults } = content;
  const workers = new Map(content.workers);
  const roots = new Map(content.roots);
  const layers = new Map<string, Policy>();
  const addLayer = (worker: WorkerDefinition) => {
    const layer = rootsLayer(worker, roots.get(worker.name) ?? []);
    if (layer !== null) layers.set(worker.name, layer);
  };
  for (const worker of workers.values()) addLayer(worker);
  const [first] = workers.values();
  return {
    root,
    home,
    guarded,
    workers,
    roots,
    layers,
    model,
    shared: new Map(toolsets.instances.map((toolset) => [toolset.name, toolset])),
    factories: new Map(toolsets.factories.map((factory) => [factory.name, factory])),
    creation: {
      folder: first === undefined ? null : await realpath(dirname(first.path)),
      defaults,
      names: new Set(),
    },
    admit(worker) {
      // The folders that its creator's roots were when the run began.
      const opened = roots.get(worker.createdBy ?? '') ?? [];
      roots.set(
        worker.name,
        opened.filter(({ name }) => worker.roots.some((own) => own.name === name)),
      );
      addLayer(worker);
      workers.set(worker.name, worker);
    },
  };
}

export function layersOf({ layers }: Pick<Catalogue, 'layers'>, worker: string): readonly Policy[] {
  const layer = layers.get(worker);
  return layer === undefined ? [] : [layer];
}

export interface ActingWorker {
  readonly worker: WorkerDefinition;
  readonly authority: Authority;
  /** Empty if a program makes a call for a worker without a model. */
  readonly model: string;
  readonly endpoint: string;
  /** Its place: see `WorkerCall`. */
  readonly place: string;
}

/** One worker at work for its caller, or as the entry worker. */
export interface WorkerCall {
  readonly worker: WorkerDefinition;
  /** Its chain ends with the worker. */
  readonly authority: Authority;
  /** The caller's effective model. */
  readonly model: string | null;
  /** The worker's task, as text. */
  readonly input: string;
  readonly attachments: readonly { readonly name: string; readonly content: Uint8Array }[];
  readonly signal: AbortSignal;
  /** The id of the call that starts it; that of the run for the entry worker. */
  readonly place: string;
  /** In a conversation: gets what was said last, and gives the user's next words, or null to end it. */
  readonly next?: (said: string, signal: AbortSignal) => Promise<string | null>;
}

export type Perform = (call: WorkerCall) => Promise<Json>;

export function rootsFor({ roots }: Pick<Catalogue, 'roots'>, worker: WorkerDefinition) {
  const opened = roots.get(worker.name) ?? [];
  return worker.roots.flatMap(({ name, mode, suffixes, max_file_bytes, untrusted }) => {
    const found = opened.find((root) => root.name === name);
    if (found === undefined) return [];
    const { folder, outside } = found;
    return [{ name, folder, mode, outside, ...stated({ suffixes, max_file_bytes, untrusted }) }];
  });
}
