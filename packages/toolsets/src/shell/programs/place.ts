import type { Word } from '../word.js';
import type { Program } from './program.js';
import type { Reading } from './reading.js';

/** Where in a command line a word stands. */
export interface Place {
  readonly program: Program;
  /** The program with its subcommand, for people. */
  readonly name: string;
  /** What paths are relative to; null where that is where the program was started. */
  readonly folder: Word | null;
  readonly reading: Reading;
}
