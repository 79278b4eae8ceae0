import type { Capability } from '@ambit/core';
import type { Word } from './word.js';

/**
 * What a program does with its arguments, as the table of programs says it: about words, not about paths. The walker puts
 * it into capabilities, with the working folder, the home and the variables of the place where the program is run.
 */
export type Effect =
  /** Touches a file or a folder; `deep` where what lies in the folder is touched too. */
  | {
      readonly kind: 'path';
      readonly access: PathAccess;
      readonly word: Word;
      readonly deep?: boolean;
      readonly what?: string;
    }
  /**
   * Runs a command of these words, here or in `folder`. `isOpen` where more words follow that are not known (`xargs`).
   */
  | {
      readonly kind: 'run';
      readonly words: readonly Word[];
      readonly isOpen?: boolean;
      readonly folder?: Word;
    }
  /** Hands text to an interpreter, here or in `folder`; `sh` and `bash` are walked into. Null where the text cannot be known. */
  | { readonly kind: 'code'; readonly language: string; readonly text: Word | null; readonly folder?: Word }
  /** Hands what comes through its standard input to an interpreter. */
  | { readonly kind: 'code_from_input'; readonly language: string }
  /** Loads code from a file. */
  | { readonly kind: 'load'; readonly word: Word; readonly language?: string }
  /** Connects to a host, or to what a URL says; null where that cannot be known. */
  | {
      readonly kind: 'connect';
      readonly to: Word | null;
      readonly port?: number;
      readonly scheme?: string;
      readonly method?: string;
    }
  | { readonly kind: 'capability'; readonly capability: Capability }
  /** Sets a variable that later programs see; `value` null where it is not known. */
  | { readonly kind: 'variable'; readonly name: string; readonly value: Word | null }
  /** What it does cannot be known. */
  | { readonly kind: 'opaque'; readonly text: string; readonly why: string };

export type PathAccess = 'read' | 'list' | 'write' | 'delete' | 'meta';
