import { listers } from './listing/listers.js';
import type { ProgramTable } from './programs/entry/spec.js';
import { performBy } from './programs/perform.js';
import type { Perform } from './world.js';

/** Describes what the programs of a table do with their words. */
export function perform(table: ProgramTable): Perform {
  return performBy(table, listers);
}
