import type { Capability } from '@ambit/core';
import { openRoots, type Roots } from '@ambit/toolsets';
import { describeCommand } from './describe-command.js';

interface Surroundings {
  /** Where the line begins. Absolute. */
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

/** The same in any folder: `roots` say what counts as inside. They have one folder, and paths are absolute. */
export async function describeCommandIn(
  command: string,
  { folder, ...world }: Surroundings & { readonly roots: Roots },
): Promise<readonly Capability[]> {
  return (await describeCommand({ command, cwd: folder }, world)).capabilities;
}
