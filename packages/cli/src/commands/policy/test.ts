import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { remembered, shellWord, type Toolset } from '@ambit/core';
import {
  type CallOfCase,
  type DescribingPlace,
  type Diagnostic,
  formatReport,
  type LoadedSuite,
  loadSuite,
  reportSuites,
  type SuitesReport,
  type SuiteWorld,
  type WrittenCall,
} from '@ambit/policy';
import { judgeLineInFull, lineToolsets } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, isFolder, print, write } from '../../host.js';
import { policyWorld } from '../given/policies.js';
import { givenToolsets } from '../given/toolsets.js';
import type { OptionsOf } from '../table/table.js';
import { watched } from './watched.js';

export function test(host: Host, paths: readonly string[], options: OptionsOf<'test'>): Promise<Exit> {
  return watched(host, paths, { ...options, work: (at) => runSuites(at, paths, options) });
}

async function runSuites(host: Host, paths: readonly string[], options: OptionsOf<'test'>): Promise<Exit> {
  const { coverage = false, minCoverage, mutate: mutation = false, maxSurvivors } = options;
  if (maxSurvivors !== undefined && !mutation) throw new UnusableError('--max-survivors needs --mutate');
  const files = await suiteFiles(host, paths);
  const world = await suiteWorld(host, options, Date.now());
  const loaded: LoadedSuite[] = [];
  for (const file of files) loaded.push(await loadSuite(file, world));
  const report = reportSuites(loaded, { coverage: coverage || minCoverage !== undefined, mutation });
  await print(host, options.json ? report : formatReport(report, { mutation }));
  const policy = loaded.find((suite) => !suite.ok && isOfPolicy(suite.diagnostics));
  if (policy?.ok === false)
    await write(host.stderr, `hint: ${host.program} check ${shellWord(policy.name)} checks a policy\n`);
  return exitOf(report, options);
}

/** Whether the file has the key that every policy has, and lacks the one that every suite has. */
function isOfPolicy(diagnostics: readonly Diagnostic[]): boolean {
  const has = (code: string, key: string) =>
    diagnostics.some((each) => each.code === code && each.message.startsWith(`\`${key}\``));
  return has('UNKNOWN_KEY', 'default') && has('MISSING_KEY', 'cases');
}

function exitOf(
  { ok, counts, coverage, mutation }: SuitesReport,
  { minCoverage = 0, maxSurvivors = 0 }: OptionsOf<'test'>,
): Exit {
  if (!ok) return exits.unusable;
  const isUncovered = coverage !== null && 100 * coverage.matched < minCoverage * coverage.total;
  const isUnnoticed = mutation !== null && mutation.survivors.length > maxSurvivors;
  return counts.failed > 0 || isUncovered || isUnnoticed ? exits.bad : exits.done;
}

/** The suites in these paths, each once. Skips links, hidden folders and `node_modules`. */
async function suiteFiles(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  const given = paths.length === 0 ? ['.'] : paths;
  const found: string[] = [];
  for (const path of given) {
    const isBelow = (await stat(resolve(host.folder, path))).isDirectory();
    const files = isBelow ? await suitesBelow(host, path) : [path];
    if (files.length === 0)
      throw new UnusableError(`no suite in ${path}`, 'a suite is a file NAME.test.yaml');
    found.push(...files);
  }
  const once = new Map<string, string>();
  for (const file of found) {
    const real = await realpath(resolve(host.folder, file));
    if (!once.has(real)) once.set(real, file);
  }
  return [...once.values()];
}

async function suitesBelow(host: Host, folder: string): Promise<readonly string[]> {
  const entries = await readdir(resolve(host.folder, folder), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of [...entries].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules')
        found.push(...(await suitesBelow(host, path)));
      // A broken link counts as a file, so that it is reported.
    } else if (/\.test\.ya?ml$/.test(entry.name) && !(await isFolder(host, path))) found.push(path);
  }
  return found;
}

/** Calls are described as by `ambit decide`. Calls without a time are made `now`. */
async function suiteWorld(
  host: Host,
  { root, toolset }: OptionsOf<'test'>,
  now: number,
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
): Promise<CallOfCase | { readonly unusable: string }> {
  const judge = { policies: at.place.policies.policies, toolsets: at.toolsets, now: () => at.now };
  const judged = await judgeLineInFull(JSON.stringify(call), judge);
  if ('error' in judged) return { unusable: judged.error.message };
  const { request, grants, cannot } = judged;
  return { request, grants, cannot };
}

function toolsetsByPlace(
  host: Host,
  more: readonly Toolset[],
): (place: DescribingPlace) => Promise<readonly Toolset[]> {
  const made = new WeakMap<DescribingPlace['policies'], Promise<readonly Toolset[]>>();
  return ({ root, policies }) =>
    remembered(made, policies, async () => {
      const policyFiles = policies.files.map(({ path }) => path);
      return [...(await lineToolsets(root, { environment: host.environment, policyFiles })), ...more];
    });
}
