import type { Capability } from '@ambit/core';
import { openRoots, type Roots } from '@ambit/toolsets';

/** Where a command line starts, and what it finds there. */
interface Surroundings {
  /** Real path. */
  readonly folder: string;
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** What a command line does that somebody else starts, in a folder that is its root. */
export function describeLineIn(text: string, at: Surroundings): Promise<readonly Capability[]> {
  const { folder, home } = at;
  const roots = openRoots([{ name: 'folder', folder, mode: 'rw' }], { home, naming: 'by_path' });
  return describeCommandIn(text, { ...at, roots });
}

/**
 * The same in any folder: `roots` say what counts as inside. They have one folder, and paths are absolute. The reader of command
 * lines and the table of programs are loaded with the first.
 */
export async function describeCommandIn(
  command: string,
  { folder, ...world }: Surroundings & { readonly roots: Roots },
): Promise<readonly Capability[]> {
  const { describeCommand } = await import('./describe/describe-command.js');
  return (await describeCommand({ command, cwd: folder }, { ...world, inherits: true })).capabilities;
}
