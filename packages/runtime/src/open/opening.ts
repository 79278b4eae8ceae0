import type { NonEmpty, Policy } from '@ambit/core';
import type { ModelWorld } from '../converse/models.js';
import type { LoadedFiles } from '../watch/guarded-places.js';
import type { OpenOptions } from './open-options.js';
import type { Resumption } from './resumption.js';

/** What a run begins with, once nothing of what was given is wrong. */
export interface Opening extends LoadedFiles {
  readonly options: OpenOptions;
  readonly policies: NonEmpty<Policy>;
  /** The run that goes on; null where one begins. */
  readonly resumption: Resumption | null;
  /** How often its policies have been loaded again before. */
  readonly reloads: number;
  readonly models: Pick<ModelWorld, 'scripts'>;
}
