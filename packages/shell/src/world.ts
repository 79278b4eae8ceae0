import type { Roots } from '@ambit/toolsets';
import type { Effect } from './effect.js';
import type { Listing } from './listing/listing.js';
import type { Output, Word } from './word.js';

/** A folder with the name that the shell has for it. */
export interface Folder {
  /** Absolute, as named. */
  readonly named: string;
  /** Without a link on the way; null where that is unknown. */
  readonly real: string | null;
}

/** What a command line meets, and what it has done to it so far. */
export interface World {
  readonly roots: Roots;
  /** The user's home, absolute. */
  readonly home: string;
  /** Looks at the file system; shared within one call. */
  readonly listing: Listing;
  /** What commands of the line may have changed by now. */
  readonly changes: Changes;
}

/** What earlier commands of the line may have put into the file system. */
export interface Changes {
  /** Absolute paths of files and folders that may be there by now, as real as known. */
  readonly created: Set<string>;
  /** Paths that may be gone by now. */
  readonly removed: Set<string>;
  /** Folders under which files of unknown names may be by now; `/` where that may be anywhere. */
  readonly open: Set<string>;
  /** Paths that may be links by now, or lead through one: what lies at or under them may be anywhere. */
  readonly links: Set<string>;
}

/** Where and how a program is started. One of the folders that the shell may be in. */
export interface Scene {
  readonly folder: Folder;
  /** What comes through its standard input. */
  readonly input: Output;
  readonly world: World;
}

/** What a program does with its words. */
export interface Deed {
  readonly effects: readonly Effect[];
  readonly output: Output;
  /** Whether the standard input is left for the command after it. */
  readonly leavesInput: boolean;
}

/** What a program of the table does; null for one that the table does not have. `name` is without folders. */
export type Perform = (name: string, words: readonly Word[], scene: Scene) => Deed | null;
