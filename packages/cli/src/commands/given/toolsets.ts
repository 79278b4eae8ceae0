import { realpath } from 'node:fs/promises';
import { messageOf, type Toolset } from '@ambit/core';
import { loadToolset, problemWithName } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

/** Loading a module runs its code. */
export async function givenToolsets(
  host: Host,
  modules: readonly string[] = [],
): Promise<readonly Toolset[]> {
  const toolsets: Toolset[] = [];
  for (const module of modules) {
    const toolset = await toolsetOf(module, host);
    const problem = toolsets.some(({ name }) => name === toolset.name)
      ? `another module has a toolset \`${toolset.name}\` too`
      : problemWithName(toolset.name);
    if (problem !== null) throw new UnusableError(`the toolset ${module} cannot be used: ${problem}`);
    toolsets.push(toolset);
  }
  return toolsets;
}

async function toolsetOf(module: string, host: Host): Promise<Toolset> {
  try {
    return (await loadToolset(module, await realpath(host.folder))).toolset;
  } catch (error) {
    const [why = ''] = messageOf(error).split('\n', 1);
    throw new UnusableError(`the toolset ${module} does not load: ${why}`, hintForModule(why));
  }
}

/** What to do about a module that does not load; null if its own error says it. */
export function hintForModule(why: string): string | null {
  if (why.endsWith('cannot be found')) return 'give a path, ./tools/crm.js say, or an installed package';
  const missing = /^Cannot find package '([^']+)'/.exec(why)?.[1];
  if (missing !== undefined) return `npm install ${missing}, in the folder of the module`;
  return why.startsWith('Unknown file extension') ? 'compile it to JavaScript first' : null;
}
