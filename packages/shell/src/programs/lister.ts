import type { Context, ListerResult } from '../world.js';
import type { Reading } from './reading.js';

/** Lists the files that a program touches; null to leave it to the table. */
export type Lister = (reading: Reading, context: Context) => ListerResult | null;
