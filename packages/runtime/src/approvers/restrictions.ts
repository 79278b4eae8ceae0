import { createdPrefix, type NonEmpty } from '@ambit/core';
import type { RunWorld } from '../catalogue/run-world.js';
import { jsonDigest } from './json-digest.js';

/** The digests of what the worker files of a chain restrict; null where one of the workers is not there. */
export function restrictionsOf(
  { workers, roots }: Pick<RunWorld, 'workers' | 'roots'>,
  chain: NonEmpty<string>,
): readonly string[] | null {
  const digests: string[] = [];
  for (const name of new Set(chain)) {
    const worker = workers.get(name);
    if (worker === undefined) return null;
    // Its name is the model's choice: only the same definition is the same worker.
    if (name.startsWith(createdPrefix)) digests.push(jsonDigest({ worker: name, sha256: worker.sha256 }));
    const guarded = worker.roots.filter(({ readApproval, writeApproval }) => readApproval || writeApproval);
    const folders = (roots.get(name) ?? []).map(({ name: root, folder }) => ({ root, folder }));
    const said = {
      worker: name,
      roots: guarded.map(({ name: root, readApproval, writeApproval }) => ({
        root,
        readApproval,
        writeApproval,
        folder: folders.find((each) => each.root === root)?.folder ?? null,
      })),
      approvals: worker.toolsets.flatMap(({ key, approvals }) =>
        approvals
          .filter(({ decision }) => decision !== 'pre_approved')
          .map(({ tool, decision }) => ({ key, tool, decision })),
      ),
    };
    if (said.roots.length + said.approvals.length > 0) digests.push(jsonDigest(said));
  }
  return digests;
}
