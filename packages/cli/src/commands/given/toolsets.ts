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
    throw unloadable(`the toolset ${module} does not load`, error);
  }
}

/** A module that does not load. The code of the error says what to do, if `hint` does not. */
export function unloadable(begin: string, error: unknown, hint: string | null = null): UnusableError {
  const [why = ''] = messageOf(error).split('\n', 1);
  const missing = /^Cannot find package '([^']+)'/.exec(why)?.[1];
  const hints: Readonly<Record<string, string | false>> = {
    NO_MODULE: 'give a path, ./tools/crm.js say, or an installed package',
    ERR_MODULE_NOT_FOUND: missing !== undefined && `npm install ${missing}, in the folder of the module`,
    SYNTAX: '`node --check FILE` names the line',
    ERR_UNKNOWN_FILE_EXTENSION: 'compile it to JavaScript first',
  };
  // The loader gives no code and no place to a mistake in the syntax of a module.
  const isSyntax = error instanceof SyntaxError && !error.stack?.includes('file:');
  const { code = isSyntax ? 'SYNTAX' : '' } = Object(error) as { readonly code?: string };
  return new UnusableError(`${begin}: ${why}`, hint ?? (hints[code] || null));
}
