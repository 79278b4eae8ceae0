import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LogError } from '@ambit/audit';
import { isNonEmpty, messageOf } from '@ambit/core';
import { budgetProblems } from '../budget/budget.js';
import { type LoadedConfiguration, loadConfiguration } from '../catalogue/configuration.js';
import { movedRootProblems, rootProblems } from '../catalogue/root-folders.js';
import { loadWorkers, type WorkerRegistry } from '../catalogue/worker-registry.js';
import { loadModels } from '../converse/models.js';
import { noFolder, problem } from '../host/problem.js';
import type { Opened } from '../host/session.js';
import type { Resumption } from '../journal/journal.js';
import { pastPolicies } from '../policies/policies-of-log.js';
import { readFiles, readPolicies } from '../policies/read-policies.js';
import { realHome } from '../trust/state-folder.js';
import { givenByKind } from '../worker-file/given-toolsets.js';
import { checkOptions, type OpenOptions } from './open-options.js';
import {
  folderProblems,
  inputProblems,
  modelProblems,
  policyProblems,
  providerProblems,
  serverProblems,
  toolsetProblems,
} from './opening-problems.js';
import { addedFiles, readResumption, resumptionProblems } from './resumption.js';
import { start } from './start.js';

/** Reports all mistakes at once, before anything is written. */
export function open(given: OpenOptions): Promise<Opened> {
  return openRun(given, null);
}

/** `found`: what `given.resume` names, if that has been read. */
export async function openRun(given: OpenOptions, found: Resumption | null): Promise<Opened> {
  const checked = checkOptions(given);
  if (!checked.ok) return checked;
  const { options } = checked;
  const environment = options.environment ?? process.env;
  const root = await realpath(options.root).catch(() => null);
  if (root === null) return { ok: false, problems: [noFolder(options.root)] };
  const home = realHome(environment);
  const resumption = found ?? (await readResumption(options, { environment, root }));
  if (resumption !== null && 'problems' in resumption) return { ok: false, problems: resumption.problems };
  const judging = await judgingPolicies(resumption, options, { root, home });
  const observing = await readFiles(options.observe ?? [], { root, home });
  const toolsets = givenByKind(options.toolsets);
  const registry = await loadWorkers(resolve(root, options.workers), {
    root,
    shared: [...toolsets.instances, ...toolsets.factories],
    given: toolsets.workers,
  });
  const configuration = await loadConfiguration(root);
  const models = await loadModels(modelsOf(registry, options, configuration), { root, environment });
  const problems = [
    ...budgetProblems(options),
    ...judging.problems,
    ...policyProblems(judging, options),
    ...resumptionProblems(resumption, { registry, configuration }, options),
    ...observing.problems,
    ...registry.problems,
    ...(resumption === null ? inputProblems(registry, options) : []),
    ...configuration.problems,
    ...modelProblems(registry, options),
    ...models.problems,
    ...folderProblems(registry, options),
    ...toolsetProblems(registry, toolsets),
    ...serverProblems(registry),
    ...(judging.problems.length > 0 ? [] : providerProblems(registry.workers, judging.policies)),
    ...(await rootProblems(registry, { options, root, home })),
    ...(await movedRootProblems(registry, { options, root, home }, resumption?.record.roots)),
  ];
  if (isNonEmpty(problems)) return { ok: false, problems };
  const { policies, files, reloads } = judging;
  if (!isNonEmpty(policies)) throw new Error('no policy was loaded, and no problem was reported');
  try {
    const place = { options, toolsets, environment, root, home };
    const read = { policies, files, reloads, observing, registry, configuration, models, resumption };
    return { ok: true, session: await start({ ...place, ...read }) };
  } catch (error) {
    const isUnwritable = error instanceof LogError && error.code === 'WRITE_FAILED';
    return {
      ok: false,
      problems: [
        problem('CANNOT_START', messageOf(error), isUnwritable ? 'give another place for the log' : null),
      ],
    };
  }
}

function modelsOf(
  { workers }: WorkerRegistry,
  { model }: OpenOptions,
  { configuration }: LoadedConfiguration,
): readonly string[] {
  const all = [...workers.values()];
  const canCreate = all.some(({ toolsets }) => toolsets.some(({ key }) => key === 'delegation'));
  const created = canCreate ? configuration.created.model : null;
  return [model, ...all.map((worker) => worker.model), created].filter((each) => each != null);
}

/** A resumed run keeps its original policies. */
async function judgingPolicies(
  resumption: Resumption | null,
  options: OpenOptions,
  folders: { readonly root: string; readonly home: string },
) {
  if (resumption !== null) {
    const past = await pastPolicies(resumption.past, options.policies, folders);
    // They join as newer ones, before the first judgement; one that does not load must be noticed.
    const { problems } = await readFiles(addedFiles(options, resumption), folders);
    return { ...past, problems: [...past.problems, ...problems] };
  }
  return { ...(await readPolicies(options.policies, folders)), reloads: 0 };
}
