import type { Capability } from '@ambit/core';
import type { Word } from './word.js';

/** What is done to a file. */
export type Access = 'read' | 'list' | 'write' | 'delete' | 'meta';

/**
 * What a program does with its arguments, as its entry says. The walk turns effects into capabilities: it adds `by`, the
 * roots, well-known secrets and guarded places.
 */
export type Effect =
  | PathEffect
  | FilesEffect
  | RunEffect
  | CodeEffect
  | LoadEffect
  | ConnectEffect
  | { readonly kind: 'capability'; readonly capability: Capability }
  /** Sets a variable for what the same program starts (`env A=b`). Null where the value is unknown. */
  | { readonly kind: 'variable'; readonly name: string; readonly value: string | null }
  /** What it does cannot be known: `proc.exec.opaque` for this program. */
  | { readonly kind: 'opaque'; readonly why: string };

/** Touches what a word names, relative to the folder in which the program runs. */
export interface PathEffect {
  readonly kind: 'path';
  readonly access: Access;
  readonly word: Word;
  /** Where relative paths begin, where that is another folder (`tar -C DIR`). */
  readonly folder?: Word;
  /** Whether everything below it is touched too. What is written below is unknown; anything else is listed. */
  readonly deep?: boolean;
  /** Whether links below it are followed, so that where there is one, other files are touched too. */
  readonly follows?: boolean;
  /** Who touches it: the program, or `argument` for an output that the command line names. */
  readonly by: 'program' | 'argument';
  /** What is changed, for `meta`. */
  readonly what?: string;
  /** Whether what is written may be a link, or a folder with links in it. */
  readonly mayLink?: boolean;
  /** For `list`: whether it is only asked what is there, so that no folder is read. */
  readonly isLook?: boolean;
}

/** Touches files that were listed. */
export interface FilesEffect {
  readonly kind: 'files';
  readonly access: Access;
  readonly files: Files;
  readonly by: 'program' | 'argument';
  readonly what?: string;
  readonly mayLink?: boolean;
  /** Whether the lister itself remembers what is written there, so that it counts as no change for later commands. */
  readonly isRemembered?: boolean;
}

/** Files, by absolute canonical paths. Where the way to a file crosses a link, it is here as named and as real. */
export interface Files {
  readonly paths: readonly string[];
  readonly open: boolean;
  /** The real folder that every other file is or lies in, reached through no link; null where that is unknown. */
  readonly under: string | null;
}

/** Runs a program, past functions and builtins. */
export interface RunEffect {
  readonly kind: 'run';
  readonly words: readonly Word[];
  readonly folder?: Word;
  /** Whether words from the standard input follow (`xargs`). How they are separated. */
  readonly more?: 'blanks' | 'lines' | 'nul';
  /** Whether they are handed over in parts, so that it is run several times (`xargs -n`). */
  readonly isSplit?: true;
  /** Stands in its words for each line of the standard input (`xargs -I`). */
  readonly placeholder?: string;
}

/** Hands text to an interpreter; null where the text is unknown. `from: input` for what comes through the standard input. */
export interface CodeEffect {
  readonly kind: 'code';
  readonly language: string;
  readonly text: string | null;
  readonly from?: 'input';
  readonly folder?: Word;
}

/** Loads code from a file. */
export interface LoadEffect {
  readonly kind: 'load';
  readonly word: Word;
  readonly language: string | null;
  readonly folder?: Word;
}

/** Connects to a host, or to what a URL names; null where that is unknown. */
export interface ConnectEffect {
  readonly kind: 'connect';
  readonly to: Word | null;
  readonly port?: number;
  readonly scheme?: string;
  readonly method?: string;
}
