import type { NonEmpty, Policy } from '@ambit/core';
import type { ModelWorld } from '../converse/models.js';
import type { LoadedFiles } from '../watch/guarded-places.js';
import type { OpenOptions } from './open-options.js';
import type { Resumption } from './resumption.js';

export interface Opening extends LoadedFiles {
  readonly options: OpenOptions;
  readonly policies: NonEmpty<Policy>;
  /** The resumed run; null for a new one. */
  readonly resumption: Resumption | null;
  /** How often its policies were reloaded before. */
  readonly reloads: number;
  readonly models: Pick<ModelWorld, 'scripts'>;
}
