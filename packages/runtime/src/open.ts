import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createLog } from '@ambit/audit';
import { type Clock, isNonEmpty, type Policy, Run } from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { asApprover } from './approver-function.js';
import { budgetProblems, watchBudget } from './budget.js';
import { type LoadedConfiguration, loadConfiguration } from './configuration.js';
import { openCreation } from './creation.js';
import { firstEvents } from './first-events.js';
import { guardedPlaces } from './guarded-places.js';
import { createModules } from './loaded-modules.js';
import { createMcpServers } from './mcp-servers.js';
import { createModels, loadModels } from './models.js';
import { newerPolicies } from './newer-policies.js';
import { observedLog } from './observed-log.js';
import type { Opening } from './opening.js';
import {
  folderProblems,
  modelProblems,
  modeProblems,
  policyProblems,
  problem,
  serverProblems,
  toolsetProblems,
} from './opening-problems.js';
import { performWorker } from './perform-worker.js';
import { readFiles, readPolicies } from './read-policies.js';
import { openRootFolders, rootProblems } from './root-folders.js';
import { createSession } from './run-session.js';
import type { RunWorld } from './run-world.js';
import type { Opened, OpenOptions } from './session.js';
import { eventVersion, type Happening } from './session-event.js';
import { confinementOf } from './shell-of.js';
import { signingKey } from './signing-key.js';
import { homeFolder, logKey, openStateFolder } from './state-folder.js';
import { createTally } from './totals.js';
import type { WorkerDefinition } from './worker-definition.js';
import { type OpenedRoot, rootsLayer } from './worker-layers.js';
import { loadWorkers, type WorkerRegistry } from './worker-registry.js';

/**
 * The one place where policies, log, approver, mode, context and workers meet. Everything that is wrong with what was given
 * is said at once, before anything is written.
 */
export async function open(options: OpenOptions): Promise<Opened> {
  const environment = options.environment ?? process.env;
  const root = await realpath(options.root).catch(() => null);
  if (root === null) return failed('NO_FOLDER', `the working folder is not there: ${options.root}`);
  const home = await realpath(homeFolder(environment)).catch(() => homeFolder(environment));
  const judging = await readPolicies(options.policies, { root, home });
  const observing = await readFiles(options.observe ?? [], { root, home });
  const registry = await loadWorkers(resolve(root, options.workers), {
    root,
    shared: options.toolsets ?? [],
  });
  const configuration = await loadConfiguration(root);
  const models = await loadModels(modelsOf(registry, options, configuration), { root, environment });
  const problems = [
    ...modeProblems(options),
    ...budgetProblems(options),
    ...judging.problems,
    ...policyProblems(judging, options),
    ...observing.problems,
    ...registry.problems,
    ...configuration.problems,
    ...modelProblems(registry, options),
    ...models.problems,
    ...folderProblems(registry, options),
    ...toolsetProblems(registry, options),
    ...serverProblems(registry),
    ...(await rootProblems(registry, { options, root, home })),
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
  const id = newId();
  const state = await openStateFolder(environment, root);
  const roots = await openRootFolders(registry.workers, { options, root, home });
  const file =
    options.log === undefined ? join(root, '.ambit', 'log', `${id}.jsonl`) : resolve(root, options.log);
  const signer = await signingKey(state);
  const log = await createLog({
    file,
    run: id,
    key: await logKey(state),
    ...(signer === null ? {} : { signer }),
  });
  const { created, prices } = ready.configuration.configuration;
  const tally = createTally(prices);
  const budget = watchBudget(options.budget ?? {}, {
    totals: tally.totals,
    stop: (why) => run?.stop(why),
    clock,
  });
  const emit = (event: Happening) => {
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
  try {
    await log.append(firstEvents(ready, { now: clock.now(), signer }));
    const recorded = observedLog(log, (event) => emit({ type: 'recorded', event }));
    const observing = ready.observing.policies;
    run = new Run({
      policies,
      ...(isNonEmpty(observing) ? { observing } : {}),
      open: true,
      decide: createEngine().decide,
      mode: options.mode,
      approver: asApprover(options.approver),
      log: recorded,
      newer: newerPolicies({
        given: options.policies,
        folders: { root, home },
        files: ready.files,
        log: recorded,
        now: () => clock.now(),
      }),
      context: options.context,
      clock,
      newId,
      ...(options.answerLimit === undefined ? {} : { answerLimit: options.answerLimit }),
    });
    const known = {
      workers: new Map(registry.workers),
      roots: new Map(roots),
      layers: new Map(layersFrom(registry.workers, roots)),
    };
    const world: RunWorld = {
      run,
      ...known,
      creation: await openCreation(root, known, created),
      models: createModels({ environment, scripts: ready.models.scripts }),
      model: options.model ?? null,
      home,
      guarded: guardedPlaces(ready, { log: log.path, state }),
      shared: new Map((options.toolsets ?? []).map((toolset) => [toolset.name, toolset])),
      servers: createMcpServers({ root, home, state, writable: writableFolders(roots) }),
      isolation,
      modules: createModules(),
      budget,
      emit,
      perform: (call) => performWorker(world, call),
    };
    return createSession(world, {
      id,
      log,
      root,
      entry: registry.entry,
      totals: tally.totals,
      now: () => clock.now(),
    });
  } catch (error) {
    await log.close();
    throw error;
  }
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
