import type { Way } from '../filesystem/follow.js';
import type { Roots } from '../filesystem/root.js';
import type { Effect } from './effect.js';
import type { Word } from './word.js';

/** What a command line meets: the file system and the table of programs. */
export interface World {
  readonly roots: Roots;
  /** What a program does with its arguments. */
  effectsOf(invocation: Invocation): readonly Effect[];
  /** Whether the table knows the program. */
  knows(program: string): boolean;
  /** What a variable makes a program do, besides being set. */
  effectsOfVariable(name: string, value: Word | null, program: string | null): readonly Effect[];
  /** What was found in the file system, which does not change while it is looked at. */
  readonly looks: Map<string, Way>;
  /** What an earlier walk found to be changed on the way. */
  readonly changes: Changes;
}

export interface Invocation {
  /** The last name of the command word. */
  readonly program: string;
  readonly words: readonly Word[];
}

/** What earlier commands of the line may have put into the file system. */
export interface Changes {
  /** Places that may have become links, or lie behind one. */
  readonly links: Link[];
  /** Files that are there by now. */
  readonly written: Set<string>;
  /** Whether files may be there by now whose names are not known. */
  is_open: boolean;
}

export interface Link {
  readonly path: string;
  /** Whether it is what lies below that may be links. */
  readonly is_below: boolean;
  readonly program: string;
}

export function noChanges(): Changes {
  return { links: [], written: new Set(), is_open: false };
}
