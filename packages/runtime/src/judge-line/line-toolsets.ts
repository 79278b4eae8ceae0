import { opendirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { remembered, standaloneToolsets, type Toolset } from '@ambit/core';
import { type Environment, homeFolder, stateFolder } from '../trust/state-folder.js';
import type { BuiltInPlace } from './built-in-toolset.js';
import type { ToolsetNamed } from './judge-line.js';

interface LineWorld {
  readonly environment: Environment;
  readonly policyFiles: readonly string[];
}

/** The built-in toolsets for `ambit decide` and `ambit capabilities`, with one folder. `policyFiles` are guarded. */
export async function lineToolsets(folder: string, of: LineWorld): Promise<readonly Toolset[]> {
  const named = await lineToolsetNamed(folder, of);
  return Promise.all(standaloneToolsets.map(async (name) => (await named(name)) as Toolset));
}

/** Each is loaded when a call needs it. */
export async function lineToolsetNamed(folder: string, of: LineWorld): Promise<ToolsetNamed> {
  const place = placeOf(folder, of);
  const loaded = new Map<string, Promise<Toolset>>();
  return async (name) => {
    const known = standaloneToolsets.find((each) => each === name);
    if (known === undefined) return undefined;
    const load = async () => (await import('./built-in-toolset.js')).builtInToolset[known](place);
    return remembered(loaded, known, load);
  };
}

function placeOf(folder: string, { environment, policyFiles }: LineWorld): BuiltInPlace {
  const root = realpathSync.native(folder);
  requireFolder(root);
  const guarded = [
    ...policyFiles.map((path) => ({ path, what: 'policy file' })),
    { path: '/etc/ambit', what: 'policy file' },
    // Missing ones too, as in a run.
    { path: root, suffix: '.worker', what: 'worker file' },
    { path: join(root, '.ambit'), what: 'log' },
    { path: stateFolder(environment), what: 'state folder' },
  ];
  return { root, home: homeFolder(environment), guarded };
}

/** Its error names the folder, as those of other functions do. */
function requireFolder(path: string): void {
  try {
    opendirSync(path).closeSync();
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}
