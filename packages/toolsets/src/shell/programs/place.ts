import type { Effect } from '../effect.js';
import type { Word } from '../word.js';
import type { Program } from './program.js';
import type { Reading } from './reading.js';
import type { ProgramTable } from './spec.js';

/** Where in a command line a word stands. */
export interface Place {
  readonly program: Program;
  /** The program with its subcommand, for people. */
  readonly name: string;
  /** What paths are relative to; null where that is where the program was started. */
  readonly folder: Word | null;
  readonly reading: Reading;
  /** The folders that the operands name, where `{}` stands for what is in them. */
  readonly below: readonly Word[];
  readonly table: ProgramTable;
  /** Reads words by another entry of the table. */
  enter(name: string, words: readonly Word[], place: Place): readonly Effect[];
}
