import type { Judge, LoggedPolicies } from '@ambit/audit';
import {
  answer,
  type Grant,
  isNonEmpty,
  type KeptAnswer,
  type NonEmpty,
  type Policy,
  type PolicyEvent,
} from '@ambit/core';
import { createEngine, keysRead, loadPolicies, type PolicyWorld, readsOf } from '@ambit/policy';
import { problem } from '../host/problem.js';
import type { Past } from '../journal/journal.js';
import { type PolicyFile, type PolicyFolders, type ReadPolicies, unread } from './read-policies.js';

/** The `load` of `redecide`. Null if a program made all policies, text if one does not load. */
export async function judgeOfLog(sets: readonly LoggedPolicies[], assumed: PolicyFolders) {
  const policies = await loadEach(sets, assumed);
  if (typeof policies === 'string') return policies;
  return isNonEmpty(policies) ? loggedJudge(policies) : null;
}

/** The policies of all sets; text if one does not load. */
async function loadEach(
  sets: readonly LoggedPolicies[],
  assumed: PolicyFolders,
): Promise<readonly Policy[] | string> {
  const policies: Policy[] = [];
  for (const index of sets.keys()) {
    const loaded = await loadLogged(sets.slice(0, index + 1), assumed);
    if (typeof loaded === 'string') return loaded;
    policies.push(...loaded);
  }
  return policies;
}

/** The policies of the last set, under their names in the run; text if one does not load. */
export async function loadLogged(
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

/** Reads policies from the log. `assumed` stands for folders that the log does not state. */
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

/** The judge for `replay`. */
export function loggedJudge(policies: NonEmpty<Policy>): Judge {
  const engine = createEngine();
  const names = policies.map(({ name }) => name);
  return {
    decide: (request, grants) =>
      answer(engine.decide(request, policies), { request, policies, grants: grants.map(heard) }),
    settle: (request) => engine.settle(request, policies),
    keysRead: (request) => keysRead(policies, request),
    reads: readsOf(policies),
  };

  /** An answer counts for these policies, also under other names. */
  function heard(grant: Grant): Grant {
    if (grant.source !== 'kept') return grant;
    // Logs of earlier versions do not name them.
    const known = (grant as Partial<KeptAnswer>).policies ?? [];
    return known.some((name) => names.includes(name)) ? grant : { ...grant, policies: names };
  }
}

/** The original policies of a run, and all later ones. */
export async function pastPolicies(
  { events }: Past,
  given: readonly (string | Policy)[],
  folders: PolicyFolders,
): Promise<ReadPolicies & { readonly reloads: number }> {
  const inForce = events
    .filter((event) => event.event === 'policy')
    .filter(({ problems }) => problems === undefined);
  const sets = inForce.map(({ files, root, home }) => ({
    files: files.filter(({ observed }) => observed !== true).map(asFile),
    root: root ?? null,
    home: home ?? null,
  }));
  const made = given.filter((policy) => typeof policy !== 'string');
  const loaded = await loadEach(sets, folders);
  if (typeof loaded === 'string')
    return { ...unread([problem('POLICY_UNLOADABLE', loaded, null)]), reloads: 0 };
  const files = [...new Map(sets.flatMap((set) => set.files).map((file) => [file.path, file])).values()];
  return { ...unread([]), policies: [...made, ...loaded], files, reloads: Math.max(0, sets.length - 1) };
}

function asFile(file: PolicyEvent['files'][number]): PolicyFile {
  const { observed: _, ...rest } = file;
  return rest as PolicyFile;
}
