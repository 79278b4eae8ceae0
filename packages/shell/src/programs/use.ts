import type { Word } from '../word.js';
import type { Around, Effects } from './effects.js';
import type { ProgramTable } from './entry/spec.js';
import type { Program } from './program.js';
import type { Reading } from './reading.js';

/** A use of a program: its entry, and how its words are read. */
export interface Use extends Around {
  readonly program: Program;
  /** The program with its subcommand, for people. */
  readonly name: string;
  readonly reading: Reading;
  readonly home: string;
  readonly table: ProgramTable;
  /** Reads words by another entry of the table. */
  enter(name: string, words: readonly Word[], use: Use): Effects;
}
