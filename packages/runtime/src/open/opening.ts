import type { NonEmpty, Policy } from '@ambit/core';
import type { LoadedConfiguration } from '../catalogue/configuration.js';
import type { WorkerRegistry } from '../catalogue/worker-registry.js';
import type { ModelWorld } from '../converse/models.js';
import type { PolicyFile, ReadPolicies } from '../policies/read-policies.js';
import type { Resumption } from './resumption.js';
import type { OpenOptions } from './session.js';

/** What a run begins with, once nothing of what was given is wrong. */
export interface Opening {
  readonly options: OpenOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Real, as `home` is. */
  readonly root: string;
  readonly home: string;
  readonly policies: NonEmpty<Policy>;
  readonly files: readonly PolicyFile[];
  readonly observing: ReadPolicies;
  readonly registry: WorkerRegistry;
  readonly configuration: LoadedConfiguration;
  /** The run that goes on; null where one begins. */
  readonly resumption: Resumption | null;
  /** How often its policies have been loaded again before. */
  readonly reloads: number;
  readonly models: Pick<ModelWorld, 'scripts'>;
}
