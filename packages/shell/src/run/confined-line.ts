import { realpathSync } from 'node:fs';
import { type Capability, shellWord } from '@ambit/core';
import type { Roots } from '@ambit/toolsets';
import { environmentOf } from './environment.js';
import { boundsOf } from './isolation/bounds.js';
import { findIsolation } from './isolation/find-isolation.js';
import { hiddenFrom } from './isolation/hidden.js';
import { confined, type IsolationKind } from './isolation/isolation.js';

export interface LineToConfine {
  readonly command: string;
  /** Absolute path. */
  readonly folder: string;
  readonly roots: Roots;
  readonly home: string;
  readonly searchPath: readonly string[];
  /** The judged capabilities, which set the bounds. */
  readonly described: readonly Capability[];
}

/** A program that runs a command line confined, in an environment that the caller gives it. */
export interface ConfinedProgram {
  readonly kind: Exclude<IsolationKind, 'none'>;
  readonly path: string;
  readonly args: readonly string[];
  /** What a confined program needs besides `PATH` and `HOME`. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ConfinedLine {
  readonly kind: Exclude<IsolationKind, 'none'>;
  /** The line for any shell. `mark` names the call in it: the value of the variable `AMBIT_CALL`. */
  readonly line: (mark: string) => string;
}

/**
 * A command line that runs another one as `shell.run` does: within the judged bounds, and without the environment. For
 * programs that run commands themselves. Null if this machine cannot confine.
 */
export async function confinedLine(given: LineToConfine): Promise<ConfinedLine | null> {
  const found = await confinedWords(given);
  if (found === null) return null;
  const { kind, words, variables } = found;
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const run = [...set, ...words].map(shellWord).join(' ');
  // No reader is attached to the fourth descriptor.
  return { kind, line: (mark) => `/usr/bin/env -i AMBIT_CALL=${mark} ${run} 3<>/dev/null` };
}

/** How to start such a line as a long-running program, without a shell. Null if this machine cannot confine. */
export async function confinedProgram(given: LineToConfine): Promise<ConfinedProgram | null> {
  const found = await confinedWords(given);
  if (found === null) return null;
  const { kind, words, variables } = found;
  const args = ['-c', 'exec "$@" 3<>/dev/null', 'sh', ...words];
  return { kind, path: '/bin/sh', args, environment: variables };
}

async function confinedWords(given: LineToConfine) {
  const isolation = await findIsolation();
  if (isolation === null) return null;
  const { command, roots, home, described, searchPath } = given;
  const folder = realpathSync(given.folder);
  const bounds = boundsOf(described, { roots, writes: 'described' });
  const { program, args } = confined(isolation, {
    command,
    folder,
    bounds,
    roots,
    hidden: hiddenFrom(described, { roots, entered: [folder, ...bounds.writable] }),
    described,
    linger: 0,
  });
  const variables = environmentOf({}, { searchPath, home, is_isolated: true });
  return { kind: isolation.kind, words: [program, ...args], variables };
}

/** The call that a line of `confinedLine` names; null for any other line, and not to be relied on. */
export function markIn(line: string): string | null {
  return /^\/usr\/bin\/env -i AMBIT_CALL=([\w-]+) /.exec(line)?.[1] ?? null;
}
