import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createLog, type FileLog } from '@ambit/audit';
import { type Clock, isNonEmpty, type LogEvent, type NonEmpty, type Policy, Run } from '@ambit/core';
import { createEngine } from '@ambit/policy';
import type { GuardedPlace } from '@ambit/toolsets';
import { createModels, loadModels, type ModelWorld } from './models.js';
import { newerPolicies } from './newer-policies.js';
import { observedLog } from './observed-log.js';
import {
  folderProblems,
  modelProblems,
  modeProblems,
  policyProblems,
  problem,
  toolsetProblems,
} from './opening-problems.js';
import { performWorker } from './perform-worker.js';
import { type PolicyFile, type ReadPolicies, readFiles, readPolicies } from './read-policies.js';
import { openRootFolders, rootProblems } from './root-folders.js';
import { createSession } from './run-session.js';
import type { RunWorld } from './run-world.js';
import type { Opened, OpenOptions, SessionEvent } from './session.js';
import { homeFolder, logKey, openStateFolder, stateFolder } from './state-folder.js';
import { createTally } from './totals.js';
import { version } from './version.js';
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
  const models = await loadModels(modelsOf(registry, options), { root, environment });
  const problems = [
    ...modeProblems(options),
    ...judging.problems,
    ...policyProblems(judging, options),
    ...observing.problems,
    ...registry.problems,
    ...modelProblems(registry, options),
    ...models.problems,
    ...folderProblems(registry, options),
    ...toolsetProblems(registry, options),
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
      models,
    });
    return { ok: true, session };
  } catch (error) {
    return failed('CANNOT_START', messageOf(error));
  }
}

function modelsOf({ workers }: WorkerRegistry, { model }: OpenOptions): readonly string[] {
  const stated = [...workers.values()].flatMap((worker) => (worker.model === null ? [] : [worker.model]));
  return model === undefined ? stated : [model, ...stated];
}

interface Ready {
  readonly options: OpenOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  readonly home: string;
  readonly policies: NonEmpty<Policy>;
  readonly files: readonly PolicyFile[];
  readonly observing: ReadPolicies;
  readonly registry: WorkerRegistry;
  readonly models: Pick<ModelWorld, 'scripts'>;
}

async function start(ready: Ready) {
  const { options, environment, root, home, policies, registry } = ready;
  const id = newId();
  const state = await openStateFolder(environment, root);
  const roots = await openRootFolders(registry.workers, { options, root, home });
  const file =
    options.log === undefined ? join(root, '.ambit', 'log', `${id}.jsonl`) : resolve(root, options.log);
  const log = await createLog({ file, run: id, key: await logKey(state) });
  const tally = createTally();
  const emit = (event: SessionEvent) => {
    tally.take(event);
    try {
      options.onEvent?.(event);
    } catch (error) {
      // A program that cannot follow its run any more does not go on with it, and the log is not to blame.
      run?.stop(`what the run tells could not be taken: ${messageOf(error)}`);
    }
  };
  let run: Run | null = null;
  try {
    await log.append(firstEvents(ready));
    const recorded = observedLog(log, (event) => emit({ type: 'recorded', event }));
    const observing = ready.observing.policies;
    run = new Run({
      policies,
      ...(isNonEmpty(observing) ? { observing } : {}),
      open: true,
      decide: createEngine().decide,
      mode: options.mode,
      approver: options.approver ?? null,
      log: recorded,
      newer: newerPolicies({
        given: options.policies,
        folders: { root, home },
        files: ready.files,
        log: recorded,
        now: () => clock.now(),
      }),
      context: options.context ?? {},
      clock,
      newId,
      ...(options.answerLimit === undefined ? {} : { answerLimit: options.answerLimit }),
    });
    const world: RunWorld = {
      run,
      workers: registry.workers,
      models: createModels({ environment, scripts: ready.models.scripts }),
      model: options.model ?? null,
      home,
      roots,
      layers: layersFrom(registry.workers, roots),
      guarded: await guardedPlaces(ready, { log, state }),
      shared: new Map((options.toolsets ?? []).map((toolset) => [toolset.name, toolset])),
      modules: { toolsets: new Map(), loading: Promise.resolve() },
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

function firstEvents({ options, registry, files, observing }: Ready): NonEmpty<LogEvent> {
  const now = clock.now();
  const workers = Object.fromEntries(
    [...registry.workers.values()].map(({ name, sha256 }) => [name, sha256]),
  );
  const toolsets = Object.fromEntries(
    [...registry.workers.values()].flatMap((worker) =>
      worker.toolsets.flatMap(({ key, sha256 }) => (sha256 === null ? [] : [[key, sha256]])),
    ),
  );
  const run: LogEvent = {
    now,
    event: 'run',
    version,
    user: userInfo().username,
    machine: hostname(),
    mode: options.mode,
    context: options.context ?? {},
    workers,
    toolsets,
  };
  const observed = observing.files.map((file) => ({ ...file, observed: true }));
  return [run, { now, event: 'policy', files: [...files, ...observed] }];
}

/** What a run's own calls may not change: all that judges, answers or records it. */
async function guardedPlaces(
  { options, environment, root, files, observing, registry }: Ready,
  of: { log: FileLog; state: string },
): Promise<GuardedPlace[]> {
  const modules = [...registry.workers.values()].flatMap(({ toolsets }) =>
    toolsets.flatMap(({ paths }) => paths),
  );
  const registries = [...registry.workers.values()].map(({ path }) => dirname(path));
  const places: readonly GuardedPlace[] = [
    ...[...files, ...observing.files].flatMap(({ name, path }) => [
      { path: resolve(root, name), what: 'policy file' },
      { path, what: 'policy file' },
    ]),
    { path: '/etc/ambit', what: 'policy file' },
    ...[...registry.workers.values()].map(({ path }) => ({ path, what: 'worker file' })),
    // A worker that is written now is one that a later run may call.
    ...registries.map((path) => ({ path, suffix: '.worker', what: 'worker file' })),
    ...modules.map((path) => ({ path, what: 'toolset module' })),
    { path: of.log.path, what: 'log' },
    { path: `${of.log.path}.lock`, what: 'log' },
    { path: of.state, what: 'state folder' },
    // The parts of other working folders too: what is kept there loosens later runs.
    { path: stateFolder(environment), what: 'state folder' },
    ...(options.log === undefined ? [{ path: dirname(of.log.path), what: 'log' }] : []),
  ];
  const seen = new Set<string>();
  return places.filter(({ path, suffix = '' }) => {
    const place = `${path}\0${suffix}`;
    return !seen.has(place) && seen.add(place);
  });
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
