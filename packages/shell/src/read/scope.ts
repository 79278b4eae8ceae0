import type { ParsedScript } from 'unbash';
import type { Report } from '../describe/report.js';
import type { Output, Word } from '../word.js';
import type { Perform, World } from '../world.js';
import { join, type State } from './state.js';

/** Where in a command line the walk is. A subshell has one of its own. */
export interface Scope {
  state: State;
  /** The state where the last command failed, where that is another. */
  failed: State | null;
  /** The states in which the loop around is left early, or its next round begins; null outside of a loop. */
  readonly exits: State[] | null;
  /** The standard input, which commands share: what one has read is not there for the next. */
  readonly input: { output: Output };
  /** How many texts and programs this one is in that run others. */
  readonly depth: number;
  /** Whether the text is for `sh`, which may be another shell than bash. */
  readonly isPosix: boolean;
  readonly walk: Walk;
}

/** A walk through a command line: what its parts call each other for. */
export interface Walk {
  readonly report: Report;
  readonly world: World;
  readonly perform: Perform;
  /** Folders in which programs are found that are named without one, as real. */
  readonly searchPath: readonly string[];
  /** What makes it matter what later commands change. */
  readonly notes: { isConcurrent: boolean };
  /** Walks a text that was read, for a substitution. */
  script(script: ParsedScript, scope: Scope): Output;
  /** Reads a text and walks it. */
  text(line: string, scope: Scope): Output;
  /** Runs a program, past builtins. */
  program(words: readonly Word[], scope: Scope): Output;
}

/** A copy for what cannot change the shell here. */
export function subshell(
  scope: Scope,
  changes: Partial<Pick<Scope, 'state' | 'input' | 'depth'>> = {},
): Scope {
  return { ...scope, failed: null, exits: null, ...changes };
}

/** The command may not have run at all, and has failed then. */
export function skipped(before: State, scope: Scope): void {
  scope.failed = join(scope.failed ?? scope.state, before);
}

/** From here on it does not matter whether the last command succeeded. */
export function settle(scope: Scope): void {
  if (scope.failed !== null) scope.state = join(scope.state, scope.failed);
  scope.failed = null;
}
