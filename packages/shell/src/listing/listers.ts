import { gitListers } from './git/git.js';
import type { Lister } from './lister.js';
import { find } from './programs/find.js';

/** By the names that `lists` has in the table of programs. */
export const listers: Readonly<Record<string, Lister>> = {
  ...gitListers,
  find: ({ words }, scene) => find(words, scene),
};
