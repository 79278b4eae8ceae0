import type { Lister } from './lister.js';

/** By the names that `lists` has in the table of programs. */
export const listers: Readonly<Record<string, Lister>> = {};
