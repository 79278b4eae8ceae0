import { listers } from './listing/listers.js';
import type { ProgramTable } from './programs/entry/spec.js';
import { performBy } from './programs/perform.js';
import type { Perform } from './world.js';

/** Describes the effects of programs of a table with their words. */
export function perform(table: ProgramTable): Perform {
  return performBy(table, listers);
}
