import type { Deed, Scene } from '../world.js';
import type { Reading } from './reading.js';

/** Says which files a program touches, by listing them; text where that cannot be known, which says why. */
export type Lister = (reading: Reading, scene: Scene) => Deed | string;
