import type { ArithmeticExpression, Word as Node, ParsedScript } from 'unbash';
import type { Report } from './report.js';
import type { FunctionBody, State } from './state.js';
import type { Value } from './variable.js';
import type { Word } from './word.js';
import type { World } from './world.js';

/** The standard input, which commands share: what one has read is not there for the next. */
export interface Input {
  /** What comes through it; null where that is not known. */
  text: Word | null;
}

/** Where in a command line the walk is. A subshell has one of its own. */
export interface Here {
  state: State;
  input: Input;
  /** How deep in texts that are evaluated and functions that are called. */
  readonly depth: number;
  /** The states in which loops and functions are left early, for whoever walks them. */
  readonly exits: State[];
  /** Variables that the function made its own; null outside of one. */
  readonly locals: Set<string> | null;
  readonly walk: Walk;
}

/** What came of a command. */
export interface Result {
  /** What it writes to its standard output; null where that is not known. */
  readonly output: Word | null;
  /** The state where it failed, if that is another. */
  readonly failed?: State;
  /** Whether it surely succeeds. */
  readonly is_sure?: boolean;
}

/** A walk through a command line. What its parts call each other for. */
export interface Walk {
  readonly report: Report;
  readonly world: World;
  /** Functions that were defined, and not called yet. */
  readonly defined: Set<FunctionBody>;
  /** What makes it matter what later commands write. */
  readonly seen: { is_concurrent: boolean; has_pattern: boolean; writes_beside: boolean };
  script(script: ParsedScript, here: Here): Result;
  /** Reads the text as the shell does, and walks it. */
  text(text: string, here: Here): Result;
  /** The words that a word as it is written stands for. */
  words(node: WrittenWord, here: Here): readonly Word[];
  /** The same where it stays one word: assignments, here-strings, patterns. */
  word(node: WrittenWord, here: Here): Word;
  /** Evaluates an expression as a number; null is one that could not be read. */
  arithmetic(expression: ArithmeticExpression | null, here: Here): void;
  /** The same for text that the shell would read as an expression. */
  arithmeticOf(word: Word, here: Here): void;
  /** What else it means that programs see a variable, or that one does. */
  variable(name: string, value: Word | null, program: string | null, here: Here): void;
  /** The same for a variable that a program sets for another. */
  setFor(name: string, value: Word | null, program: string | null, here: Here): void;
  /** Walks the text once more where the command line ends; `isAnywhere` where it may also be run on the way there. */
  later(text: string, isAnywhere: boolean, here: Here): void;
  /** Walks what a function does. */
  body(body: FunctionBody, here: Here): Result;
  /** What a command of these words does. */
  command(words: readonly Word[], here: Here, how?: HowRun): Result;
}

/** A word in a command line, before anything in it is replaced. */
export type WrittenWord = Pick<Node, 'text' | 'parts'>;

export interface HowRun {
  /** Variables set for this command alone. */
  readonly variables?: ReadonlyMap<string, Word | null>;
  /** What the words assign that are assignments: `export NAME=value`. */
  readonly declared?: readonly { readonly name: string; readonly value: Value }[];
  /** Past functions (`command`), or past programs too (`builtin`). */
  readonly past?: 'functions' | 'builtins';
  /** Whether more words follow that are not known. */
  readonly is_open?: boolean;
  /** What these are, as far as that is known: the files of a folder. */
  readonly names?: readonly Word[];
}

/** A copy for what cannot change the shell here. */
export function subshell(here: Here, changes: Partial<Pick<Here, 'state' | 'input' | 'depth'>> = {}): Here {
  return { ...here, ...changes, exits: [] };
}
