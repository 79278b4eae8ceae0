import { posix } from 'node:path';
import { foldersUp } from '@ambit/core';
import type { Lister } from '../../programs/reading.js';
import { lacksKeys } from '../../programs/settings.js';
import { text } from '../../word.js';
import { mayExist, mayHaveChanged } from '../../world.js';
import { pathEffects } from '../options.js';

/**
 * `npm ls` reads the manifests of what is installed in its project: the nearest folder, upwards, with a manifest or packages,
 * or one above it whose manifest may have workspaces.
 */
export const npmInstalled: Lister = (_, { folder: { real }, world }) => {
  if (real === null) return 'its project is unknown';
  const projects: string[] = [];
  let isFound = false;
  for (const folder of foldersUp(real)) {
    const [manifest, modules] = [posix.join(folder, 'package.json'), posix.join(folder, 'node_modules')];
    const isThere = (path: string, kind: string) =>
      world.listing.kind(path) === kind && !mayHaveChanged(path, world.changes);
    const mayBeAround = mayExist(manifest, world) && !lacksKeys(manifest, 'workspaces', world);
    if (isFound ? mayBeAround : mayExist(manifest, world) || mayExist(modules, world)) projects.push(modules);
    isFound ||= isThere(manifest, 'file') || isThere(modules, 'folder');
  }
  return pathEffects('read', projects.map(text), { deep: true, ends: ['/package.json'] });
};
