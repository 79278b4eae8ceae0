import type { Law } from './law.js';
import { lawsOfDeciding } from './of-deciding.js';
import { lawsOfGrants } from './of-grants.js';
import { lawsOfReplay } from './of-replay.js';
import { lawsOfRuns } from './of-runs.js';
import { lawsOfFileSets } from './of-sets.js';

/** Every law of `docs/semantics.md` about what exists. */
export const laws: readonly Law[] = [
  ...lawsOfDeciding,
  ...lawsOfFileSets,
  ...lawsOfGrants,
  ...lawsOfRuns,
  ...lawsOfReplay,
];
