import type { Description } from '@ambit/core';
import { problemOfArguments, problemOfBash, type ShellArguments } from '../run/shell-arguments.js';
import { workingFolder } from '../run/working-folder.js';
import type { ShellOptions } from '../shell-options.js';

/** What a command line does, and why it cannot be run, where that is so. Every line is opaque as yet. */
export async function describeCommand(args: ShellArguments, options: ShellOptions): Promise<Description> {
  const { cannot } = await workingFolder(args.cwd, options.roots);
  const problem = options.unavailable ?? problemOfBash(options.bash) ?? cannot ?? problemOfArguments(args);
  const capabilities = [
    { name: 'proc.exec.opaque', text: args.command, why: 'command lines are not described yet' },
  ];
  return problem === null ? { capabilities } : { capabilities, cannot: problem };
}
