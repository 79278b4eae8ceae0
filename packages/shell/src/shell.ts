import { defineTool, defineToolset, type Toolset } from '@ambit/core';
import { type GuardedPlace, openRoots } from '@ambit/toolsets';
import { executeCommand } from './run/execute-command.js';
import { searchPathOf, usualSearchPath } from './run/search-path.js';
import { type ShellArguments, shellArguments } from './run/shell-arguments.js';
import type { ShellOptions } from './shell-options.js';

/** The toolset `shell`: describes command lines and runs them as described. */
export function shell(given: ShellOptions): Toolset {
  const options = { ...given, searchPath: searchPathOf(given.searchPath ?? usualSearchPath, given.roots) };
  // The reader of command lines and the table of programs are loaded with the first call.
  const describe = async (args: ShellArguments) =>
    (await import('./describe/describe-command.js')).describeCommand(args, options);
  return defineToolset({
    name: 'shell',
    tools: [
      defineTool<ShellArguments>({
        name: 'run',
        description: 'Runs a command line with bash, without a terminal, and returns its output.',
        input: shellArguments,
        confines: (options.isolation ?? null) !== null,
        describe,
        execute: async (args, context) => {
          try {
            return await executeCommand(args, context, { ...options, describe });
          } finally {
            (await import('./describe/describe-command.js')).forgetFolders();
          }
        },
      }),
    ],
  });
}

/** The toolset for one folder, its only root: paths are relative to it, or absolute. */
export function shellAt(
  folder: string,
  options: { home: string; guarded: readonly GuardedPlace[] },
): Toolset {
  const roots = openRoots([{ name: 'folder', folder, mode: 'rw' }], { ...options, naming: 'by_path' });
  return shell({ roots, home: options.home });
}
