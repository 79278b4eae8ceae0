import type { WorkerDefinition } from './worker-definition.js';

/** A worker as one tool, for `toolsets` of `open`: the only way that a worker becomes one. It is guarded, and runs, as any that a worker file names. */
export class WorkerToolset {
  /** Of the tool, too. */
  readonly name: string;
  readonly worker: WorkerDefinition;
  /** It, and those that it can reach, by name. */
  readonly workers: ReadonlyMap<string, WorkerDefinition>;

  constructor(worker: WorkerDefinition, workers: ReadonlyMap<string, WorkerDefinition>) {
    this.name = worker.name;
    this.worker = worker;
    this.workers = workers;
  }
}
