import type { LoggedPolicies } from '@ambit/audit';
import { isNonEmpty, type Policy } from '@ambit/core';
import { loadPolicies, type PolicyWorld } from '@ambit/policy';
import { loggedJudge } from './logged-judge.js';

/**
 * What judges under the policies that a log carries: what `redecide` of `@ambit/audit` is given. Null where all policies
 * were made by a program, and words where one does not load.
 */
export async function judgeOfLog(
  sets: readonly LoggedPolicies[],
  /** For a log that does not say what `./` and `~/` stood for. */
  assumed: { readonly root: string; readonly home: string },
) {
  const policies: Policy[] = [];
  for (const [index, set] of sets.entries()) {
    const loaded = await loadLogged(set, sets.slice(0, index + 1), assumed);
    if (typeof loaded === 'string') return loaded;
    policies.push(...loaded);
  }
  return isNonEmpty(policies) ? loggedJudge(policies) : null;
}

/** The policies of a set, under the names that they had in the run; words where one does not load. */
export async function loadLogged(
  { files, reload, root, home }: LoggedPolicies,
  /** All sets of the run up to this one. */
  known: readonly LoggedPolicies[],
  assumed: { readonly root: string; readonly home: string },
): Promise<readonly Policy[] | string> {
  const names = files.map(({ name }) => name);
  if (!isNonEmpty(names)) return [];
  // The newest under each name: a file may extend one that did not change with it.
  const sources = new Map(known.flatMap((set) => set.files.map((file) => [file.name, file] as const)));
  const found = (name: string) => {
    const file = sources.get(name);
    if (file === undefined) throw new Error('the log does not hold it');
    return file;
  };
  const world: PolicyWorld = {
    root: root ?? assumed.root,
    home: home ?? assumed.home,
    read: async (name) => Buffer.from(found(name).source),
    realpath: async (name) => found(name).path,
  };
  const loaded = await loadPolicies(names, world);
  if (!loaded.ok) return `the policies that the log carries do not load: ${loaded.diagnostics[0].message}`;
  const { policies, files: records } = loaded;
  return policies.flatMap((policy, index) => {
    if (!names.includes(records[index]?.name ?? '')) return [];
    return [reload === 0 ? policy : { ...policy, name: `${policy.name} (reload ${reload})` }];
  });
}
