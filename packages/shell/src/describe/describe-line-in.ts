import type { Capability } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import { describeCommand } from './describe-command.js';

/** What a command line of another agent does in a folder, which is its only root. */
export async function describeLineIn(
  text: string,
  at: { readonly folder: string; readonly home: string; readonly searchPath: readonly string[] },
): Promise<readonly Capability[]> {
  const { folder, home, searchPath } = at;
  const roots = openRoots([{ name: 'folder', folder, mode: 'rw' }], { home, naming: 'by_path' });
  return (await describeCommand({ command: text }, { roots, home, searchPath })).capabilities;
}
