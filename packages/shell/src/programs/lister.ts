import type { Deed, Scene } from '../world.js';
import type { Reading } from './reading.js';

/** Lists the files that a program touches, or returns a text that says why they are unknown. */
export type Lister = (reading: Reading, scene: Scene) => Deed | string;
