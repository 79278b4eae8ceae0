export type { Lister } from '../programs/lister.js';
export type { Reading } from '../programs/reading.js';
