import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Clock, earlierRun, isNonEmpty, messageOf, type Policy, Run } from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { createParking } from '../approvers/parking.js';
import { createPolicyDigests, givenBefore, runApprover } from '../approvers/run-approver.js';
import { earlierAnswers, runKeeper } from '../approvers/run-keeper.js';
import { budgetProblems, watchBudget } from '../budget/budget.js';
import { withCosts } from '../budget/prices.js';
import { createTally } from '../budget/totals.js';
import { type LoadedConfiguration, loadConfiguration } from '../catalogue/configuration.js';
import { movedRoots, openRootFolders, rootProblems } from '../catalogue/root-folders.js';
import type { RunWorld } from '../catalogue/run-world.js';
import { type OpenedRoot, rootsLayer } from '../catalogue/worker-layers.js';
import { loadWorkers, type WorkerRegistry } from '../catalogue/worker-registry.js';
import { createModels, loadModels } from '../converse/models.js';
import { pastHappenings } from '../converse/past-happenings.js';
import { performWorker } from '../converse/perform-worker.js';
import { admitCreated } from '../delegate/admit-created.js';
import { openCreation } from '../delegate/creation.js';
import { observedLog } from '../journal/observed-log.js';
import { pastDuration } from '../journal/past-duration.js';
import { eventVersion, type Happening } from '../journal/session-event.js';
import { newerPolicies } from '../policies/newer-policies.js';
import { pastPolicies } from '../policies/past-policies.js';
import { readFiles, readPolicies } from '../policies/read-policies.js';
import { createModules } from '../toolsets/loaded-modules.js';
import { createMcpServers } from '../toolsets/mcp-servers.js';
import { providerProblems } from '../toolsets/provider-tools.js';
import { confinementOf } from '../toolsets/shell-of.js';
import { homeFolder, openStateFolder } from '../trust/state-folder.js';
import { guardingOf } from '../watch/guarding.js';
import { sortedOut } from '../worker-file/given-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import type { Opening } from './opening.js';
import {
  folderProblems,
  inputProblems,
  modelProblems,
  policyProblems,
  problem,
  serverProblems,
  toolsetProblems,
} from './opening-problems.js';
import { takenOptions } from './option-problems.js';
import { openRecords } from './records.js';
import { addedFiles, type Resumption, readResumption, resumptionProblems } from './resumption.js';
import { createSession } from './run-session.js';
import type { Opened, OpenOptions } from './session.js';

/**
 * The one place where policies, log, approver, mode, context and workers meet. Everything that is wrong with what was given
 * is said at once, before anything is written.
 */
export async function open(given: OpenOptions): Promise<Opened> {
  const taken = takenOptions(given);
  if (!taken.ok) return taken;
  const { options } = taken;
  const environment = options.environment ?? process.env;
  const root = await realpath(options.root).catch(() => null);
  if (root === null) return failed('NO_FOLDER', `the working folder is not there: ${options.root}`);
  const home = await realpath(homeFolder(environment)).catch(() => homeFolder(environment));
  const resumption = await readResumption(options, { environment, root });
  if (resumption !== null && 'problems' in resumption) return { ok: false, problems: resumption.problems };
  const judging = await judgingPolicies(resumption, options, { root, home });
  const observing = await readFiles(options.observe ?? [], { root, home });
  const toolsets = sortedOut(options.toolsets);
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
    ...toolsetProblems(registry, options),
    ...serverProblems(registry),
    ...(judging.problems.length > 0 ? [] : providerProblems(registry.workers, judging.policies)),
    ...(await rootProblems(registry, { options, root, home })),
    ...(await movedRoots(registry, { options, root, home }, resumption?.record.roots)),
  ];
  if (isNonEmpty(problems)) return { ok: false, problems };
  const { policies, files } = judging;
  if (!isNonEmpty(policies)) throw new Error('no policy is a problem');
  try {
    const session = await start({
      options,
      environment,
      root,
      home,
      policies,
      files,
      observing,
      registry,
      configuration,
      models,
      resumption,
      reloads: judging.reloads,
    });
    return { ok: true, session };
  } catch (error) {
    return failed('CANNOT_START', messageOf(error));
  }
}

function modelsOf(
  { workers }: WorkerRegistry,
  { model }: OpenOptions,
  { configuration }: LoadedConfiguration,
): readonly string[] {
  const stated = [...workers.values()].flatMap((worker) => (worker.model === null ? [] : [worker.model]));
  const created = configuration.created.model;
  const canCreate = [...workers.values()].some((worker) =>
    worker.toolsets.some(({ key }) => key === 'delegation'),
  );
  return [
    ...(model === undefined ? [] : [model]),
    ...stated,
    ...(created === null || !canCreate ? [] : [created]),
  ];
}

async function start(given: Opening) {
  const { isolation, context } = await confinementOf(given.registry.workers.values());
  // What is so, whatever the host says.
  const options = { ...given.options, context: { ...given.options.context, ...context } };
  const ready = { ...given, options };
  const { environment, root, home, policies, registry } = ready;
  const id = ready.resumption?.record.id ?? newId();
  const state = await openStateFolder(environment, root);
  const begun = ready.resumption?.record.roots;
  const roots = await openRootFolders(registry.workers, { options, root, home }, begun);
  const records = await openRecords(ready, { state, id, now: clock.now(), roots });
  const { journal } = records;
  const { created, prices } = ready.configuration.configuration;
  const tally = createTally(prices);
  const budget = watchBudget(options.budget ?? {}, {
    totals: tally.totals,
    lasted: pastDuration(journal.past),
    stop: (why) => run?.stop(why),
    clock,
  });
  const emit = (happening: Happening) => {
    const event = withCosts(happening, prices);
    tally.take(event);
    budget.take(event);
    try {
      options.onEvent?.({ v: eventVersion, ...event });
    } catch (error) {
      // A program that cannot follow its run any more does not go on with it, and the log is not to blame.
      run?.stop(`what the run tells could not be taken: ${messageOf(error)}`);
    }
  };
  let run: Run | null = null;
  const parking = createParking(options.park === true);
  const digests = createPolicyDigests(ready.files);
  try {
    for (const event of pastHappenings(journal.past)) tally.take(event);
    const recorded = observedLog(records.log, (event) => {
      digests.take(event);
      emit({ type: 'recorded', event });
    });
    for (const event of journal.past.events) digests.take(event);
    const past = earlierRun(journal.past.events);
    const earlier = ready.resumption === null ? past : await earlierAnswers(past, records);
    const observing = ready.observing.policies;
    const { instances, factories } = sortedOut(options.toolsets);
    const { guarded, watch } = guardingOf(ready, { log: records.file.path, state });
    const known = {
      workers: new Map(registry.workers),
      roots: new Map(roots),
      layers: new Map(layersFrom(registry.workers, roots)),
    };
    run = new Run({
      policies,
      ...(isNonEmpty(observing) ? { observing } : {}),
      open: true,
      decide: createEngine().decide,
      mode: options.mode,
      approver: runApprover(options, {
        records,
        parking,
        policies: digests.now,
        now: () => clock.now(),
      }),
      ...(ready.resumption === null ? {} : { given: givenBefore(records.store, digests.now) }),
      log: recorded,
      newer: newerPolicies({
        given: options.policies,
        added: addedFiles(options, ready.resumption),
        folders: { root, home },
        files: ready.files,
        reloads: ready.reloads,
        log: recorded,
        now: () => clock.now(),
      }),
      watch,
      context: options.context,
      clock,
      newId,
      earlier,
      whileWaiting: parking.activity.waiting,
      ...runKeeper(options, { ...known, records, emit, digests: digests.now, now: () => clock.now() }),
      ...(options.answerLimit === undefined ? {} : { answerLimit: options.answerLimit }),
    });
    const world: RunWorld = {
      run,
      ...known,
      creation: await openCreation(root, known, created),
      models: createModels({ environment, scripts: ready.models.scripts }),
      model: options.model ?? null,
      home,
      guarded,
      shared: new Map(instances.map((toolset) => [toolset.name, toolset])),
      factories: new Map(factories.map((factory) => [factory.name, factory])),
      servers: createMcpServers({ root, home, state, writable: writableFolders(roots) }),
      isolation,
      modules: createModules(),
      budget,
      journal,
      activity: parking.activity,
      emit,
      perform: (call) => performWorker(world, call),
    };
    admitCreated(world);
    return createSession(world, {
      records,
      root,
      entry: registry.entry,
      totals: tally.totals,
      now: () => clock.now(),
      parking,
    });
  } catch (error) {
    await records.close();
    throw error;
  }
}

/** What judges: for a run that goes on, what judged it before, whatever became of the files. */
async function judgingPolicies(
  resumption: Resumption | null,
  options: OpenOptions,
  folders: { readonly root: string; readonly home: string },
) {
  if (resumption !== null) {
    const past = await pastPolicies(resumption.past, options, folders);
    // They join as newer ones do, before the first call is judged; what does not load would not be missed then.
    const { problems } = await readFiles(addedFiles(options, resumption), folders);
    return { ...past, problems: [...past.problems, ...problems] };
  }
  return { ...(await readPolicies(options.policies, folders)), reloads: 0 };
}

/** The real folders of all roots, read only ones too: what is one worker's to read may be another's to write. */
function writableFolders(roots: ReadonlyMap<string, readonly OpenedRoot[]>): readonly string[] {
  return [...roots.values()].flatMap((list) => list.map(({ folder }) => folder));
}

function layersFrom(
  workers: ReadonlyMap<string, WorkerDefinition>,
  roots: ReadonlyMap<string, readonly OpenedRoot[]>,
): ReadonlyMap<string, Policy> {
  const layers = [...workers.values()].map((worker) => ({
    name: worker.name,
    layer: rootsLayer(worker, roots.get(worker.name) ?? []),
  }));
  return new Map(layers.flatMap(({ name, layer }) => (layer === null ? [] : [[name, layer] as const])));
}

function failed(code: string, message: string): Opened {
  return { ok: false, problems: [problem(code, message, null)] };
}

const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, signal) =>
    new Promise((done) => {
      if (signal.aborted) return done();
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        done();
      });
    }),
};

/** Sorts by time, and cannot be guessed. */
function newId(): string {
  return `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
}
