import type { Effect } from '../effect.js';
import type { Word } from '../word.js';

/** What a word does; text where that is unknown, which says why. Then nothing else of the command is known either. */
export type Effects = readonly Effect[] | string;

/** All of them, or why one of them is unknown. */
export function together(parts: Iterable<Effects>): Effects {
  const effects: Effect[] = [];
  for (const part of parts) {
    if (typeof part === 'string') return part;
    effects.push(...part);
  }
  return effects;
}

/** Where a text with a language of its own stands. */
export interface Around {
  /** What paths are relative to; null where that is the folder in which the program was started. */
  readonly folder: Word | null;
  /** Who touches an output: the program, or the argument that names it. */
  readonly by: 'program' | 'argument';
}
