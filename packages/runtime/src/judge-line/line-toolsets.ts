import { opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Toolset } from '@ambit/core';
import { shellAt } from '@ambit/shell';
import { filesystemAt, http } from '@ambit/toolsets';
import { homeFolder, stateFolder } from '../trust/state-folder.js';

/**
 * The built-in toolsets as `ambit decide` and `ambit capabilities` describe calls with: one folder, an absolute path, is all
 * that they work in. `policyFiles` are guarded, as everything is that would judge, answer or record a run there.
 */
export async function lineToolsets(
  folder: string,
  of: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly policyFiles: readonly string[];
  },
): Promise<readonly Toolset[]> {
  const root = await realpath(folder);
  const home = homeFolder(of.environment);
  await (await opendir(root)).close();
  const guarded = [
    ...of.policyFiles.map((path) => ({ path, what: 'policy file' })),
    { path: '/etc/ambit', what: 'policy file' },
    // Those that are not there yet too, as in a run.
    { path: root, suffix: '.worker', what: 'worker file' },
    { path: join(root, '.ambit'), what: 'log' },
    { path: stateFolder(of.environment), what: 'state folder' },
  ];
  return [filesystemAt(root, { home, guarded }), shellAt(root, { home, guarded }), http()];
}
