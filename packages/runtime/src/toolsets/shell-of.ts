import { existsSync, realpathSync } from 'node:fs';
import type { Toolset } from '@ambit/core';
import { findIsolation, type Isolation, shell, usualSearchPath } from '@ambit/shell';
import { isUnder, openRoots, type Roots } from '@ambit/toolsets';
import { type Catalogue, rootsFor } from '../catalogue/catalogue.js';
import { movedRoot } from '../catalogue/root-folders.js';
import { shellSettings } from '../worker-file/built-in-references.js';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';

/** Throws if a root is no longer the original folder. */
export function openRootsOf(catalogue: Catalogue, worker: WorkerDefinition): Roots {
  const { home, guarded } = catalogue;
  const roots = openRoots(rootsFor(catalogue, worker), { home, guarded });
  const moved = movedRoot(roots);
  if (moved !== null) throw new Error(moved);
  return roots;
}

export function shellOf(
  { catalogue, confinement }: { readonly catalogue: Catalogue; readonly confinement: Isolation | null },
  worker: WorkerDefinition,
  { configuration }: ToolsetReference,
): Toolset {
  const { timeout, isolation, writes, search_path } = shellSettings(configuration);
  const isMissing = isolation === 'required' && confinement === null;
  return shell({
    roots: openRootsOf(catalogue, worker),
    home: catalogue.home,
    limits: { time: timeout * 1000 },
    isolation: isolation === 'off' ? null : confinement,
    writes,
    searchPath: (search_path ?? usualSearchPath).filter((folder) => !isInRoot(folder, catalogue)),
    unavailable: isMissing ? missing : undefined,
  });
}

/** Whether a folder lies in a root of any worker, who may put a program there. */
function isInRoot(folder: string, { roots }: Catalogue): boolean {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  return [...roots.values()].some((own) => own.some((root) => isUnder(real, root.folder)));
}

const missing =
  'commands have to be confined here, and this machine has neither bubblewrap nor user namespaces that may be used';

/**
 * Tests the isolation if a worker needs it. `context` has its facts for conditions: the weakest isolation of this run's
 * commands.
 */
export async function confinementOf(workers: Iterable<WorkerDefinition>) {
  const wanted = [...workers].flatMap(({ toolsets }) =>
    toolsets
      .filter(({ key }) => key === 'shell')
      .map(({ configuration }) => shellSettings(configuration).isolation),
  );
  if (wanted.length === 0) return { isolation: null, context: {} };
  const isolation = wanted.every((way) => way === 'off') ? null : await findIsolation();
  return { isolation, context: { isolation: wanted.includes('off') ? 'none' : (isolation?.kind ?? 'none') } };
}
