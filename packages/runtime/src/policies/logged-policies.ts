import type { LoggedPolicies } from '@ambit/audit';
import { isNonEmpty, type Policy } from '@ambit/core';
import { loadPolicies, type PolicyWorld } from '@ambit/policy';
import { loggedJudge } from './logged-judge.js';
import type { PolicyFolders } from './read-policies.js';

/**
 * Judges under the policies in a log: the `load` of `redecide` in `@ambit/audit`. Null if a program made all
 * policies, and a text if one does not load.
 */
export async function judgeOfLog(sets: readonly LoggedPolicies[], assumed: PolicyFolders) {
  const policies: Policy[] = [];
  for (const index of sets.keys()) {
    const loaded = await loadLogged(sets.slice(0, index + 1), assumed);
    if (typeof loaded === 'string') return loaded;
    policies.push(...loaded);
  }
  return isNonEmpty(policies) ? loggedJudge(policies) : null;
}

/** The policies of the last set, under the names that they had in the run; a text if one does not load. */
export async function loadLogged(
  /** All sets of the run up to this one. */
  sets: readonly LoggedPolicies[],
  assumed: PolicyFolders,
): Promise<readonly Policy[] | string> {
  const names = judgingNames(sets.slice(-1));
  if (!isNonEmpty(names)) return [];
  const reload = sets.length - 1;
  const loaded = await loadPolicies(names, loggedWorld(sets, assumed));
  if (!loaded.ok) return `the policies in the log do not load: ${loaded.diagnostics[0].message}`;
  const { policies, files: records } = loaded;
  return policies.flatMap((policy, index) => {
    if (!names.includes(records[index]?.name ?? '')) return [];
    return [reload === 0 ? policy : { ...policy, name: `${policy.name} (reload ${reload})` }];
  });
}

/** The names of the policies that judge in the newest set that holds them. */
export function judgingNames(sets: readonly LoggedPolicies[]): readonly string[] {
  const judges = new Map<string, boolean>();
  for (const { files } of sets)
    for (const { name } of files)
      judges.set(
        name,
        files.some((file) => file.name === name && file.observed !== true),
      );
  return [...judges.keys()].filter((name) => judges.get(name) === true);
}

/** Where the policies of a log are read: in the log, each as it was last. `assumed` holds where the log says no folders. */
export function loggedWorld(sets: readonly LoggedPolicies[], assumed: PolicyFolders): PolicyWorld {
  const files = newestFiles(sets);
  const found = (name: string) => {
    const file = files.get(name);
    if (file === undefined) throw new Error('it is not in the log');
    return file;
  };
  return {
    root: sets.at(-1)?.root ?? assumed.root,
    home: sets.at(-1)?.home ?? assumed.home,
    ...(assumed.forms === undefined ? {} : { forms: assumed.forms }),
    read: async (name) => Buffer.from(found(name).source),
    realpath: async (name) => found(name).path,
  };
}

/** The newest file under each name: a file may extend one that did not change with it. */
function newestFiles(sets: readonly LoggedPolicies[]) {
  return new Map(sets.flatMap(({ files }) => files.map((file) => [file.name, file] as const)));
}
