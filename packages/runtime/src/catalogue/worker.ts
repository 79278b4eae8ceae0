import { isNonEmpty, type NonEmpty } from '@ambit/core';
import { type Problem, problem } from '../host/problem.js';
import { WorkerToolset } from '../worker-file/given-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { loadWorkers, type RegistryWorld } from './worker-registry.js';

/** A worker from a file, with the workers that it can reach. */
export class Worker {
  readonly definition: WorkerDefinition;
  readonly #workers: ReadonlyMap<string, WorkerDefinition>;

  constructor(definition: WorkerDefinition, workers: ReadonlyMap<string, WorkerDefinition>) {
    this.definition = definition;
    this.#workers = workers;
  }

  get name(): string {
    return this.definition.name;
  }

  /** One tool of the worker's name, for `toolsets` of `open`. */
  asToolset(): WorkerToolset {
    return new WorkerToolset(this.definition, this.#workers);
  }
}

/** Throws all mistakes of the worker and those that it can reach. */
export async function loadWorker(
  file: string,
  world: RegistryWorld,
): Promise<
  | { readonly ok: true; readonly worker: Worker }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> }
> {
  const { workers, entry, problems } = await loadWorkers(file, world);
  if (isNonEmpty(problems)) return { ok: false, problems };
  const definition = workers.get(entry ?? '');
  if (definition === undefined)
    return { ok: false, problems: [problem('NO_WORKER', `${file} is not a worker file`, 'NAME.worker')] };
  return { ok: true, worker: new Worker(definition, workers) };
}
