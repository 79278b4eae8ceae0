import type { GuardWatch } from '@ambit/core';
import type { GuardedPlace } from '@ambit/toolsets';
import type { Opening } from '../open/opening.js';
import { createWatch } from './create-watch.js';
import { guardedPlaces } from './guarded-places.js';
import { watchedPlaces } from './watched-places.js';

/** What no call of a run may change, and what compares it with what it was when the run began. */
export interface Guarding {
  readonly guarded: readonly GuardedPlace[];
  readonly watch: GuardWatch;
}

export function guardingOf(opening: Opening, of: { readonly log: string; readonly state: string }): Guarding {
  const guarded = guardedPlaces(opening, of);
  return { guarded, watch: createWatch(watchedPlaces(opening, { guarded, state: of.state })) };
}
