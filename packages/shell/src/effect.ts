import type { Capability } from '@ambit/core';
import type { Output, Word } from './word.js';

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
  /** Sets a variable for the programs that this program starts (`env A=b`). The value is null if unknown. */
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly value: string | null;
      readonly isUnset?: true;
    }
  /**
   * The program is opaque: `proc.exec.opaque`. `ends`: so is the rest of the line, where names may mean other files.
   * `onlyReads`: it certainly changes no file, so later listings are complete.
   */
  | { readonly kind: 'opaque'; readonly why: string; readonly ends?: true; readonly onlyReads?: true };

interface Touching {
  readonly access: Access;
  /** Who touches it: the program, or `argument` for an output file in the arguments. */
  readonly by: 'program' | 'argument';
  /** The changed property, for `meta`. */
  readonly what?: string;
  /** Whether the written file may be a link, or a folder with links. */
  readonly mayLink?: boolean;
  /** Whether of binary files, only names are printed: always, or in a locale of UTF-8, where any other text is binary. */
  readonly leavesBinary?: boolean | 'of UTF-8';
  /** Whether it goes into an archive as it is. */
  readonly isPacked?: boolean;
}

/** Touches the files that a word names, relative to the folder of the program. */
export interface PathEffect extends Touching {
  readonly kind: 'path';
  readonly word: Word;
  /** The folder of relative paths, if it is another one (`tar -C DIR`). */
  readonly folder?: Word;
  /** Whether everything below is touched too. Written files below are unknown unless `ends` is given; all others are listed. */
  readonly deep?: boolean;
  /** How the names of the files end that are touched below it; any without. */
  readonly ends?: readonly string[];
  /** Whether links below it are followed, so other files may be touched too. */
  readonly follows?: boolean;
  /** Where the written link leads, if it is one with a known text. */
  readonly leads?: string;
  /** For `list`: whether only existence is checked, so no folder is read. */
  readonly isLook?: boolean;
}

export interface FilesEffect extends Touching {
  readonly kind: 'files';
  readonly files: Files;
  /** Whether the lister tracks these writes itself, so they do not count as changes for later commands. */
  readonly isRemembered?: boolean;
  /** Whether nothing that it writes runs later, although its place is one of `sys.persist`. */
  readonly runsNothing?: boolean;
  /** Whether it only measures or compares what it reads, so a secret among it is not read out. */
  readonly isKept?: boolean;
}

export interface Files {
  readonly paths: readonly string[];
  readonly open: boolean;
  /** The real folder that contains every other file; null if unknown. */
  readonly under: string | null;
  /** The end that the paths of all others share, where it is known. */
  readonly end?: string;
}

export function onlyFiles(paths: readonly string[]): Files {
  return { paths, open: false, under: null };
}

/** Unknown files below a folder. */
export function anyBelow(under: string): Files {
  return { paths: [], open: true, under };
}

/** The effect on listed files, if there are any. */
export function onFiles(
  access: Access,
  files: Files,
  more: Pick<
    FilesEffect,
    'mayLink' | 'isRemembered' | 'runsNothing' | 'isKept' | 'leavesBinary' | 'isPacked'
  > = {},
): readonly FilesEffect[] {
  if (files.paths.length === 0 && !files.open) return [];
  return [{ kind: 'files', access, files, by: 'program', ...more }];
}

/** Runs a program, not a function or a builtin. */
export interface RunEffect {
  readonly kind: 'run';
  readonly words: readonly Word[];
  readonly folder?: Word;
  /** How the words are separated that follow from the standard input (`xargs`); missing if none follow. */
  readonly more?: 'blanks' | 'lines' | 'nul';
  /** Where they come from in place of the standard input (`xargs -a <(…)`). */
  readonly from?: Output;
  /** Whether the words are split over several runs (`xargs -n`). */
  readonly isSplit?: true;
  /** The placeholder in its words for a line of the standard input (`xargs -I`). */
  readonly placeholder?: string;
  /** Whether it may run several times (`find -exec`). */
  readonly isRepeated?: true;
  /** Whether it reads the standard input of the program that starts it. Unknown input otherwise. */
  readonly sharesInput?: boolean;
  /** Whether it runs only for files that are not there yet: it reads none of them, and prints nothing. */
  readonly isAwaiting?: true;
}

/** Languages of texts that the walk reads itself, as bash does. `sh` may be another shell; zsh and ksh are opaque besides. */
export const walkedLanguages: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'ksh']);

/** Evaluates a text; null for an unknown one. */
export interface CodeEffect {
  readonly kind: 'code';
  readonly language: string;
  readonly text: string | null;
  readonly from?: 'input';
  readonly folder?: Word;
  /** `$0`, `$1` and so on; unknown where they are left out. */
  readonly parameters?: readonly Word[];
  /** Whether its commands read the standard input of the program that starts them. Unknown input otherwise. */
  readonly sharesInput?: boolean;
  /** Which login shell of bash runs it. */
  readonly login?: Login;
}

/** With `nounset`, a variable without a value ends the login files. */
export type Login = 'plain' | 'nounset';

export interface LoadEffect {
  readonly kind: 'load';
  readonly word: Word;
  readonly language: string | null;
  readonly folder?: Word;
}

/** Connects to a host or to the host of a URL; null if unknown. */
export interface ConnectEffect {
  readonly kind: 'connect';
  readonly to: Word | null;
  readonly port?: number;
  readonly scheme?: string;
  readonly method?: string;
  /** Whether another URL of this host may be requested. */
  readonly isAnyUrl?: true;
}
