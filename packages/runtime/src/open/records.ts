import { lstat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hostname, userInfo } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { createLog, type FileLog, LogError, type SigningKey } from '@ambit/audit';
import { type JsonObject, type LogEvent, type NonEmpty, type RunEvent, stated } from '@ambit/core';
import type { OpenedRoot } from '../catalogue/worker-layers.js';
import { completeLog } from '../journal/complete-log.js';
import { keptLog, openJournal } from '../journal/journal.js';
import { openStore } from '../store/file-store.js';
import { memoryStore } from '../store/memory-store.js';
import { runStatus } from '../store/run-status.js';
import { type Step, type Store, type StoredRun, StoreError } from '../store/store.js';
import { noteRunning } from '../trust/running-processes.js';
import { signingKey } from '../trust/signing-key.js';
import { logKey, openLogFolder } from '../trust/state-folder.js';
import type { OpenOptions } from './open-options.js';
import type { Opening } from './resumption.js';

export type Records = Awaited<ReturnType<typeof openRecords>>;

type OpenedRoots = ReadonlyMap<string, readonly OpenedRoot[]>;

/** Records the start or the resume. Rejects if another process drives the run. */
export async function openRecords(
  ready: Opening,
  given: { readonly state: string; readonly id: string; readonly now: number; readonly roots: OpenedRoots },
) {
  const { options, environment, root, resumption } = ready;
  const { state, id, now, roots } = given;
  const path =
    resumption?.record.log ??
    (options.log === undefined
      ? join(await openLogFolder(environment, root), `${id}.jsonl`)
      : resolve(root, options.log));
  await requireUnlinked(root, path);
  const signer = await signingKey(state);
  const { store, unkept } = await storeFor(options, state);
  const forget = await noteRunning(environment, id);
  const close = async (file: FileLog | null) => {
    await file?.close();
    await forget();
    if (options.store === undefined) await store.close();
  };
  let file: FileLog | null = null;
  try {
    // One process at a time has the log, and with it the run.
    file = await openRunLog(resumption?.past.events ?? [], {
      file: path,
      run: id,
      key: await logKey(state),
      signer,
      ...options.recording,
    });
    const steps = resumption === null ? [] : await stepsNow(store, id, resumption.steps);
    if (resumption === null) await store.begin(storedRun(ready, { id, now, log: file.path, roots }));
    else await store.resume(id, { pid: process.pid, at: now });
    const journal = openJournal(store, id, steps);
    const { events: kept } = journal.past;
    const resumed = kept.filter(({ event }) => event === 'run').length;
    const first = firstEvents(ready, { now, signer, resumed });
    // A new run may be appended to a long log.
    if (kept.length > 0) await completeLog(file, { run: id, kept, begin: first[0] });
    // Writes the log, after its events are kept.
    const log = keptLog(file, journal);
    await log.append(first);
    const opened = file;
    /** Whether another process can go on with it. */
    const isKept = options.store !== null && unkept === null;
    return { id, file, log, store, journal, unkept, isKept, close: () => close(opened) };
  } catch (error) {
    await close(file);
    throw isUnderWay(error, resumption)
      ? new Error(`the run ${id} is under way already, in the process ${resumption?.record.pid}`)
      : error;
  }
}

type RunLog = Omit<Parameters<typeof createLog>[0], 'earlier' | 'signer' | 'wasSigned'> & {
  readonly signer: SigningKey | null;
};

/** Opens the log of a run with these past events: their secrets stay masked, and a signed log stays signed. */
export function openRunLog(past: readonly LogEvent[], { signer, ...options }: RunLog): Promise<FileLog> {
  return createLog({
    ...options,
    // Without outcomes of calls: some are still to be written, with secrets of their calls.
    earlier: past.filter(({ event }) => event !== 'outcome'),
    ...(signer === null ? {} : { signer }),
    wasSigned: past.some((event) => event.event === 'run' && event.signer !== undefined),
  });
}

/** Whether another process has the log and this run. */
function isUnderWay(error: unknown, resumption: Opening['resumption']): boolean {
  if (!(error instanceof LogError) || error.code !== 'LOCKED' || resumption === null) return false;
  return runStatus(resumption.record) === 'running';
}

/** The stored steps of the run. Another process may have resumed it before the lock. */
async function stepsNow(store: Store, id: string, seen: readonly Step[]): Promise<readonly Step[]> {
  const steps = await store.steps(id);
  if (steps.length !== seen.length) throw new Error('the run went on meanwhile: try again');
  return steps;
}

function storedRun(
  { options, root, registry }: Opening,
  given: { readonly id: string; readonly now: number; readonly log: string; readonly roots: OpenedRoots },
): StoredRun {
  const { id, now, log, roots } = given;
  const { policies, observe, workers, model, folders, context, open } = options;
  const { budget, answerLimit, recording } = options;
  const wanted = {
    policies: policies.filter((policy) => typeof policy === 'string'),
    made: policies.filter((policy) => typeof policy !== 'string').map(({ name }) => name),
    workers: resolve(root, workers),
    ...stated({ observe, model, folders, context, open, budget, answerLimit, recording }),
  };
  return {
    id,
    begun: now,
    worker: registry.entry ?? '',
    mode: options.mode,
    log,
    pid: process.pid,
    options: wanted as unknown as JsonObject,
    roots: Object.fromEntries(
      [...roots].map(([worker, own]) => [
        worker,
        Object.fromEntries(own.map(({ name, folder }) => [name, folder])),
      ]),
    ),
  };
}

/** Refuses a log below a linked `.ambit`: a checkout could choose where the run is recorded. */
export async function requireUnlinked(root: string, log: string): Promise<void> {
  const names = relative(root, log).split(sep);
  if (names[0] !== '.ambit') return;
  for (const index of names.keys()) {
    const way = join(...names.slice(0, index + 1));
    const found = await lstat(join(root, way)).catch(() => null);
    if (found?.isSymbolicLink() === true)
      throw new Error(
        `the log cannot be written: ${way} is a link; remove it, or give another place with --log`,
      );
  }
}

type Keeping = Pick<OpenOptions, 'store' | 'park' | 'wait' | 'resume'>;

/**
 * The run's store. In memory if the database cannot be loaded and the run may end with its process; `unkept` says why,
 * if this was not requested.
 */
export async function storeFor(
  { store, park, wait, resume }: Keeping,
  state: string,
  open: (folder: string) => Promise<Store> = openStore,
): Promise<{ readonly store: Store; readonly unkept: string | null }> {
  if (store === null) return { store: memoryStore(), unkept: null };
  if (store !== undefined) return { store, unkept: null };
  try {
    return { store: await open(state), unkept: null };
  } catch (error) {
    const isMissing = error instanceof StoreError && error.code === 'NOT_LOADED';
    if (!isMissing || park === true || wait === true || resume !== undefined) throw error;
    return { store: memoryStore(), unkept: error.message };
  }
}

interface FirstTime {
  readonly now: number;
  readonly signer: SigningKey | null;
  readonly resumed: number;
}

function firstEvents(
  { options, registry, configuration, files, observing, root, home }: Opening,
  { now, signer, resumed }: FirstTime,
): NonEmpty<LogEvent> {
  const workers = Object.fromEntries(
    [...registry.workers.values()].map(({ name, sha256 }) => [name, sha256]),
  );
  const toolsets = Object.fromEntries(
    [...registry.workers.values()].flatMap((worker) =>
      worker.toolsets.flatMap(({ key, sha256 }) => (sha256 === null ? [] : [[key, sha256]])),
    ),
  );
  const run = runEvent({
    now,
    mode: options.mode,
    context: options.context ?? {},
    workers,
    toolsets,
    ...(configuration.sha256 === null ? {} : { configuration: configuration.sha256 }),
    signer,
    ...(resumed === 0 ? {} : { resumed }),
  });
  // The log already has its policies.
  if (resumed > 0) return [run];
  const observed = observing.files.map((file) => ({ ...file, observed: true }));
  return [run, { now, event: 'policy', files: [...files, ...observed], root, home }];
}

type Begun = Omit<RunEvent, 'event' | 'version' | 'user' | 'machine' | 'signer'> & Pick<FirstTime, 'signer'>;

export function runEvent({ now, signer, ...run }: Begun): RunEvent {
  return {
    now,
    event: 'run',
    version: programVersion(),
    user: userName(),
    machine: hostname(),
    ...run,
    ...(signer === null ? {} : { signer: signer.verifier.text }),
  };
}

/** Defined where the program is built as one file. */
declare const AMBIT_VERSION: string | undefined;

function programVersion(): string {
  if (typeof AMBIT_VERSION === 'string') return AMBIT_VERSION;
  const stated = createRequire(import.meta.url)('@ambit/runtime/package.json') as { version: string };
  return stated.version;
}

/** The name of the user, or the number of a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
