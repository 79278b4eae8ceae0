import type { Capability } from '@ambit/core';
import { openRoots, type Roots } from '@ambit/toolsets';

/** The folder and the environment in which a command line starts. */
interface Surroundings {
  /** Real path. */
  readonly folder: string;
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** Describes a command line that another program starts, in a folder that is its root. */
export function describeLineIn(text: string, at: Surroundings): Promise<readonly Capability[]> {
  const { folder, home } = at;
  const roots = openRoots([{ name: 'folder', folder, mode: 'rw' }], { home, naming: 'by_path' });
  return describeCommandIn(text, { ...at, roots });
}

/**
 * Describes it in any folder: `roots` say which places count as inside. They have one folder, and paths are absolute.
 * The first call loads the parser and the table of programs.
 */
export async function describeCommandIn(
  command: string,
  { folder, ...world }: Surroundings & { readonly roots: Roots },
): Promise<readonly Capability[]> {
  const { describeCommand } = await import('./describe/describe-command.js');
  return (await describeCommand({ command, cwd: folder }, { ...world, inherits: true })).capabilities;
}

/** Whether a variable may make programs do something else than described. Null for an unknown value. */
export async function mayChangePrograms(name: string, value: string | null): Promise<boolean> {
  const { changeBy } = await import('./facts/variable.js');
  return changeBy(name, value, false) !== null;
}
