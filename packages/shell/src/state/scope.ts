import type { CommandNode, ParsedScript } from 'unbash';
import type { Login } from '../effect.js';
import { isNothing } from '../outputs.js';
import { hasFreshLetter, type Output, unknownOutput, type Word } from '../word.js';
import type { Perform, World } from '../world.js';
import type { Report } from './report.js';
import { join, type State } from './state.js';

/** The place of the walk in a command line. A subshell has its own. */
export interface Scope {
  state: State;
  /** The state after the last command failed, if that differs. */
  failed: State | null;
  /** The states in which the enclosing loop is left early, or its next round begins; null outside a loop. */
  readonly exits: State[] | null;
  /** The states in which the function is left early; null outside a function. */
  readonly returns: State[] | null;
  /** The states in which an expansion may fail, and the line is left early; null in a subshell, which would end. */
  readonly failures: State[] | null;
  /** The shell of a whole text, which its functions and groups share; null in a subshell. */
  readonly shell: Shell | null;
  /** The standard input, which commands share: the next command does not see what one has read. */
  readonly input: { output: Output };
  /** Whether something that is described reads the standard output. */
  readonly isRead: boolean;
  /** The depth of texts and programs that run others. */
  readonly depth: number;
  /** Whether the text is for `sh`, which may be another shell than bash. */
  readonly isPosix: boolean;
  /** The text that is walked, as it is written; empty where the text was changed before it was parsed. */
  readonly source: string;
  /** Whether this is a file of a login shell, which is private. */
  readonly isLogin?: boolean;
  /** Where the last statement of such a file begins in its text. */
  at?: number;
  readonly walk: Walk;
  /** The last argument of the simple command that ran just before, `$_`; null or missing if unknown. */
  last?: string | null;
}

/** What a shell does besides its commands. */
export interface Shell {
  readonly traps: Trap[];
  /** Whether it writes somewhere else from here on. */
  isRedirected: boolean;
}

/** A text that runs when the shell ends, or at any time in between. */
export interface Trap {
  readonly text: string;
  readonly isAtEnd: boolean;
  /** Covers each state since it was set. */
  state: State;
}

/** A walk through a command line: the functions that its parts share. */
export interface Walk {
  readonly report: Report;
  readonly world: World & { readonly perform: Perform };
  /** The search path, as real folders. */
  readonly searchPath: readonly string[];
  /**
   * Marks that changes by later commands matter, and counts what may end a list of commands early. Of login files, it has
   * the folders of version managers in their search path, and whether they may set a prompt.
   */
  readonly notes: {
    isConcurrent: boolean;
    ends: number;
    readonly shims: Set<string>;
    hasPrompt: boolean;
  };
  /** Walks a parsed text, for a substitution. */
  script(script: ParsedScript, scope: Scope): Output;
  /** Parses a text and walks it in a shell of its own, which may be a login shell of bash. */
  text(line: string, scope: Scope, login?: Login | null): Output;
  /** Parses a text and walks it in this shell. */
  here(line: string, scope: Scope): Output;
  /** Walks the commands of a function. */
  command(body: CommandNode, scope: Scope): Output;
  /** Runs a program, not a builtin. */
  program(words: readonly Word[], scope: Scope): Output;
}

/** The part of a scope that is in no loop, no function and no shell of a text. */
export const nowhere = { failed: null, exits: null, returns: null, failures: null, shell: null };

/** A copy for commands that cannot change this shell. */
export function subshell(
  scope: Scope,
  changes: Partial<Pick<Scope, 'state' | 'input' | 'isRead' | 'depth'>> = {},
): Scope {
  return { ...scope, ...nowhere, ...changes };
}

/** Walks commands that run beside the next ones. Either may read a part of the standard input. */
export function beside<T>(
  scope: Scope,
  changes: Partial<Pick<Scope, 'isRead' | 'depth'>>,
  walk: (inner: Scope) => T,
): T {
  const rest = leftOf(scope.input.output);
  const inner = subshell(scope, { ...changes, input: { output: rest } });
  const result = walk(inner);
  if (inner.input.output !== rest) scope.input.output = rest;
  return result;
}

/** Notes that the command may not have run, and then has failed. */
export function noteSkipped(before: State, scope: Scope): void {
  scope.failed = join(scope.failed ?? scope.state, before);
}

/** Notes that an expansion may fail here. */
export function mayEndLine({ failures, state }: Scope): void {
  failures?.push(state);
}

/** Begins the next line, which is also reached where the one before was left. */
export function nextLine(scope: Scope): void {
  scope.state = (scope.failures?.splice(0) ?? []).reduce(join, scope.state);
}

/** Says that from here on the result of the last command does not matter. */
export function settle(scope: Scope): void {
  if (scope.failed !== null) scope.state = join(scope.state, scope.failed);
  scope.failed = null;
}

/** A standard input that a program chooses, or one that is closed. */
export const unknownInput: Output = { kind: 'unknown', mayBeFolder: true };

/** That of the commands of `xargs`. */
export const emptyInput: Output = { kind: 'unknown', mayBeFolder: true, isEmpty: true };

/** What is known of the standard input of a program, which may take a part of a name. */
export function inputOf({ input: { output } }: Scope): Output {
  return hasFreshLetter(output) ? unknownOutput : output;
}

/** What is left of a standard input of which something may have been read. Nothing stays nothing. */
export function leftOf(input: Output): Output {
  // The rest of an id cannot be an option. The rest of another word may be one.
  if (input.kind === 'words' && input.areIds === true) return { kind: 'words', areIds: true };
  if (isNothing(input)) return input;
  return input.kind === 'unknown' && input.mayBeFolder ? { ...unknownInput } : { kind: 'unknown' };
}
