import type { Policy, PolicyEvent } from '@ambit/core';
import { problem } from '../host/problem.js';
import type { Past } from '../journal/past.js';
import { loadLogged } from './logged-policies.js';
import type { PolicyFile, PolicyFolders, ReadPolicies } from './read-policies.js';

/** The policies of a run, whatever their files say now: the original ones, and all later ones. */
export async function pastPolicies(
  { events }: Past,
  given: readonly (string | Policy)[],
  folders: PolicyFolders,
): Promise<ReadPolicies & { readonly reloads: number }> {
  const inForce = events.filter((event) => event.event === 'policy').filter(isInForce);
  const sets = inForce.map(({ files, root, home }) => ({
    files: files.filter(({ observed }) => observed !== true).map(asFile),
    root: root ?? null,
    home: home ?? null,
  }));
  const made = given.filter((policy) => typeof policy !== 'string');
  const loaded = [];
  for (const index of sets.keys()) {
    const policies = await loadLogged(sets.slice(0, index + 1), folders);
    if (typeof policies === 'string')
      return {
        policies: [],
        files: [],
        loaded: [],
        problems: [problem('POLICY_UNLOADABLE', policies, null)],
        reloads: 0,
      };
    loaded.push(...policies);
  }
  const files = newest(sets.flatMap((set) => set.files));
  return {
    policies: [...made, ...loaded],
    files,
    loaded: [],
    problems: [],
    reloads: Math.max(0, sets.length - 1),
  };
}

/** A failed reload judged nothing. */
function isInForce({ problems }: PolicyEvent): boolean {
  return problems === undefined;
}

function asFile(file: PolicyEvent['files'][number]): PolicyFile {
  const { observed: _, ...rest } = file;
  return rest as PolicyFile;
}

function newest(files: readonly PolicyFile[]): readonly PolicyFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}
