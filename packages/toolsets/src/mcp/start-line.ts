import type { Capability } from '@ambit/core';
import { openRoots } from '../filesystem/root.js';
import { worldOf } from '../shell/describe-command.js';
import { capabilitiesOfLine } from '../shell/walk.js';
import type { McpProgram } from './server-definition.js';

/**
 * What a program is known to do with its arguments and variables, as the shell toolset would say of the same command: the
 * script that an interpreter loads, the package that a launcher fetches and runs. The server's folder is its root.
 */
export function lineCapabilities(
  { command, args, folder, environment }: McpProgram,
  { searchPath, home }: { readonly searchPath: readonly string[]; readonly home: string },
): readonly Capability[] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  const text = [...variables, ...[command, ...args].map(quoted)].join(' ');
  const roots = openRoots([{ name: 'folder', folder, mode: 'rw' }], { home });
  const [root] = roots.list;
  return capabilitiesOfLine(
    {
      text,
      folder: { named: folder, real: root?.real ?? null },
      environment: new Map([
        ['PATH', searchPath.join(':')],
        ['HOME', home],
      ]),
    },
    worldOf({ roots, home, searchPath }),
  );
}

/** As one word of a command line, whatever is in it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
