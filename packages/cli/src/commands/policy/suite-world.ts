import { readdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Toolset } from '@ambit/core';
import type { DescribedCall, DescribingPlace, SuiteWorld, WrittenCall } from '@ambit/policy';
import { judgeCall, lineToolsets } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { policyWorld } from '../given/policies.js';
import { givenToolsets } from '../given/toolsets.js';

/** How suites are read, and their calls described: as `ambit decide` does it. Calls that state no time are all made `now`. */
export async function suiteWorld(
  host: Host,
  {
    root,
    now,
    toolset,
  }: {
    readonly root: string | undefined;
    readonly now: number;
    /** Modules with further toolsets. */
    readonly toolset: readonly string[] | undefined;
  },
): Promise<SuiteWorld> {
  const policies = await policyWorld(host, {});
  const toolsets = toolsetsByPlace(host, await givenToolsets(host, toolset));
  return {
    read: (path) => policies.read(path),
    home: policies.home,
    realpath: (path) => realpath(resolve(host.folder, path)),
    folder: (path) => folderAt(host, path),
    root: root === undefined ? null : await folderAt(host, root),
    describe: async (call, place) => describe(call, { place, toolsets: await toolsets(place), now }),
  };
}

async function folderAt(host: Host, path: string): Promise<string> {
  const real = await realpath(resolve(host.folder, path));
  await readdir(real);
  return real;
}

async function describe(
  call: WrittenCall,
  at: { readonly place: DescribingPlace; readonly toolsets: readonly Toolset[]; readonly now: number },
): Promise<DescribedCall | { readonly unusable: string }> {
  const judge = { policies: at.place.policies.policies, toolsets: at.toolsets, now: () => at.now };
  const judged = await judgeCall(JSON.stringify(call), judge);
  if ('error' in judged) return { unusable: judged.error.message };
  const { request, grants, cannot } = judged;
  return { request, grants, cannot };
}

/** The toolsets of a suite: the built-in ones, made once, and those of modules. */
function toolsetsByPlace(
  host: Host,
  more: readonly Toolset[],
): (place: DescribingPlace) => Promise<readonly Toolset[]> {
  const made = new WeakMap<DescribingPlace['policies'], Promise<readonly Toolset[]>>();
  return ({ root, policies }) => {
    const known =
      made.get(policies) ??
      lineToolsets(root, {
        environment: host.environment,
        policyFiles: policies.files.map(({ path }) => path),
      }).then((builtIn) => [...builtIn, ...more]);
    made.set(policies, known);
    return known;
  };
}
