import type { Engine } from '../engine.js';

/** A possible mistake in the code, and the law that must notice it. */
export interface Mutant {
  readonly mistake: string;
  readonly engine: () => Engine;
  /** Words of the law's title that no other law has. */
  readonly dies: string;
}
