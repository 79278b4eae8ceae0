import { listers } from '../src/listing/listers.js';
import type { ProgramTable } from '../src/programs/entry/spec.js';
import { performBy } from '../src/programs/perform.js';
import type { Perform } from '../src/world.js';

/** Describes what the programs of a table do with their words. */
export function perform(table: ProgramTable): Perform {
  return performBy(table, listers);
}
