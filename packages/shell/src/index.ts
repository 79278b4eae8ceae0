export type { Effect } from './effect.js';
export type { Names, Output, Word } from './word.js';
export type { Deed, Perform, Scene, World } from './world.js';
