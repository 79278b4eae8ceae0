import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FileLog, LogError } from '@ambit/audit';
import type { GuardWatch, Log, PolicyEvent } from '@ambit/core';
import { completeLog } from '../journal/complete-log.js';
import { type Journal, keptLog, openJournal, pastOf } from '../journal/journal.js';
import { openRunLog, requireUnlinked, runEvent } from '../open/records.js';
import { openStore } from '../store/file-store.js';
import type { Step, Store } from '../store/store.js';
import { noteClient, runsBeside } from '../trust/running-processes.js';
import { signingKey } from '../trust/signing-key.js';
import { type Environment, logKey, openLogFolder, openStateFolder } from '../trust/state-folder.js';
import { Recorded } from './recorded.js';

/** A conversation of another agent, whose calls are judged here and executed there. */
export interface ClientSessionOptions {
  /** The name of the client, which is the acting worker of its calls, also in the log. */
  readonly client: string;
  /** The client's own id of the conversation. */
  readonly session: string;
  /** The project's folder. Absolute. */
  readonly root: string;
  /** Policy files. `/etc/ambit/policy.yaml`, and a trusted `policy.yaml` of the project, are added. */
  readonly policies: readonly string[];
  readonly environment: Environment;
  /** The process that started the hook; by default the parent of this one. */
  readonly startedBy?: number | undefined;
  /** The digest of this program, where checked forms of policies are kept for its next call. */
  readonly program?: string | undefined;
  /** What confines the call that is judged, for conditions: `context.isolation`. None by default. */
  readonly isolation?: string;
  /** What guards the session, compared before each permit. A change ends it. */
  readonly watch?: GuardWatch;
  /** Whether it is unknown of which session of the same process this one may be a sub-agent's. */
  readonly hidesParents?: boolean | undefined;
  /** Milliseconds since 1970: until when another process of the same session is waited for. */
  readonly deadline: number;
  /** Milliseconds that a tool may take to describe a call; ten seconds by default. */
  readonly describeLimit?: number | undefined;
  /** Whether only this process continues the session: its steps are then stored many at a time. */
  readonly isExclusive?: boolean | undefined;
  /** Whether this process may be asked again. Its steps then outlive it at once, and a power cut soon. */
  readonly isReused?: boolean | undefined;
}

export interface SessionRecords {
  readonly id: string;
  readonly log: Log;
  readonly store: Store;
  readonly journal: Journal;
  begin(policies: Pick<PolicyEvent, 'files' | 'root' | 'home'>): Promise<void>;
  /** What other sessions did here that may be sub-agents of this one. */
  beside(): Promise<readonly Recorded[]>;
  release(): Promise<void>;
  /** Whether this process still owns the session. Throws if another process has it. */
  retake(startedBy: number): Promise<boolean>;
  close(): Promise<void>;
}

function runOfSession(client: string, session: string): string {
  const isPlain = /^[A-Za-z0-9_-]{1,80}$/.test(session);
  return `${client}-${isPlain ? session : hash('sha256', session).slice(0, 32)}`;
}

export async function openSessionRecords(
  options: ClientSessionOptions,
  root: string,
): Promise<SessionRecords> {
  const { client, session, environment, deadline, hidesParents, startedBy = process.ppid } = options;
  const id = runOfSession(client, session);
  const state = await openStateFolder(environment, root);
  const path = join(await openLogFolder(environment, root), `${id}.jsonl`);
  await requireUnlinked(root, path);
  const signer = await signingKey(state);
  const log = { file: path, run: id, key: await logKey(state), signer };
  const store = await openStore(state);
  let file: FileLog | null = null;
  try {
    const note = async (by: number) => {
      const found = await noteClient(environment, { client, run: id, startedBy: by, hidesParents });
      return options.isExclusive === true ? process.pid : (found ?? process.pid);
    };
    const pid = await note(startedBy);
    const { file: opened, steps } = await lockedLog(log, store, deadline);
    file = opened;
    const { append, flush } = storing(store, options);
    const journal = openJournal({ append }, id, steps);
    const { events: kept } = journal.past;
    const context = { client, session };
    const begin = runEvent({ now: Date.now(), mode: 'client', context, workers: {}, toolsets: {}, signer });
    await completeLog(opened, { run: id, kept, begin });
    const parts = { id, log: keptLog(opened, journal), store, journal };
    return {
      ...parts,
      async begin(policies) {
        const of = { worker: client, mode: 'client', log: opened.path, pid, options: {} };
        if (!(await isRun(store, id, pid))) await store.begin({ id, begun: Date.now(), ...of });
        if (kept.length === 0)
          await parts.log.append([begin, { now: Date.now(), event: 'policy', ...policies }]);
      },
      async beside() {
        const runs = await runsBeside(environment, { client, run: id, hidesParents });
        return Promise.all(runs.map(async (run) => new Recorded(pastOf(await stepsIn(store, run)).events)));
      },
      release: () => opened.release(),
      retake: async (by) => opened.retake() && (await isRun(store, id, await note(by))),
      async close() {
        journal.close();
        try {
          await flush(id);
        } finally {
          await opened.close();
          await store.close();
        }
      },
    };
  } catch (error) {
    await file?.close();
    await store.close();
    throw error;
  }
}

/** Whether the store has the run. Its process is then this one. */
async function isRun(store: Store, id: string, pid: number): Promise<boolean> {
  const found = await store.run(id);
  if (found !== null && found.pid !== pid) await store.resume(id, { pid, at: Date.now() });
  return found !== null;
}

/** The log, and the steps in the store when it was locked. Waits for another process until the deadline. */
async function lockedLog(options: Parameters<typeof openRunLog>[1], store: Store, deadline: number) {
  const { run, file: path } = options;
  let steps = await stepsIn(store, run);
  for (;;) {
    const file = await unlocked(openRunLog(pastOf(steps).events, options));
    const now = await stepsIn(store, run).catch(async (error: unknown) => {
      await file?.close();
      throw error;
    });
    // Another process continued the session before this one locked the log.
    if (file !== null && now.length === steps.length) return { file, steps };
    await file?.close();
    if (Date.now() >= deadline)
      throw new Error(
        `another call of this session is being judged, and did not end in time: ${path}.lock names its process, and can be removed once that has ended`,
      );
    steps = now;
    await wait(15);
  }
}

/** How steps are stored: each for good, each so that a power cut may lose it, or many at a time. */
function storing(store: Store, { isExclusive, isReused }: ClientSessionOptions) {
  if (isExclusive === true) return storedLater(store);
  const when = isReused === true ? 'soon' : 'now';
  const append: Store['append'] = (run, steps) => store.append(run, steps, when);
  return { append, flush: async () => undefined };
}

const mostWaiting = 256;
/** Characters of arguments, as JSON: these may be long, and other members share their texts. */
const longestWaiting = 8_000_000;

function argumentsLength(step: Step): number {
  const events = step.step === 'events' ? step.events : [];
  return events.reduce((all, event) => all + ('args' in event ? JSON.stringify(event.args).length : 0), 0);
}

/** Stores steps in batches; the log has their events at once. A step waits until it is stored, or refused. */
function storedLater(store: Store) {
  /** With the lengths of their arguments. */
  const waiting = new Map<Step, number>();
  let last: Promise<void> = Promise.resolve();
  const remove = (steps: Iterable<Step>) => {
    for (const step of steps) waiting.delete(step);
  };
  const flush = (run: string) => {
    const write = async () => {
      const steps = [...waiting.keys()];
      const [first, ...others] = merged(steps);
      if (first !== undefined) await store.append(run, [first, ...others]);
      remove(steps);
    };
    last = last.then(write, write);
    return last;
  };
  const append: Store['append'] = async (run, steps) => {
    for (const step of steps) waiting.set(step, argumentsLength(step));
    const length = [...waiting.values()].reduce((sum, each) => sum + each, 0);
    const isFull = waiting.size >= mostWaiting || length >= longestWaiting;
    // An answer is used once, even if this process is killed now.
    if (!isFull && !steps.some(({ step }) => step === 'taken')) return;
    await flush(run).catch((error: unknown) => {
      remove(steps);
      throw error;
    });
  };
  return { append, flush };
}

/** Joins adjacent events into one step. */
function merged(steps: readonly Step[]): readonly Step[] {
  const found: Step[] = [];
  for (const step of steps) {
    const last = found.at(-1);
    if (last?.step !== 'events' || step.step !== 'events') found.push(step);
    else found[found.length - 1] = { step: 'events', events: [...last.events, ...step.events] };
  }
  return found;
}

async function stepsIn(store: Store, id: string): Promise<readonly Step[]> {
  return (await store.run(id)) === null ? [] : store.steps(id);
}

/** Null if another process writes the log, and will end. */
async function unlocked(opening: Promise<FileLog>): Promise<FileLog | null> {
  return opening.catch((error: unknown) => {
    if (error instanceof LogError && error.code === 'LOCKED' && error.details.isLasting !== true) return null;
    throw error;
  });
}
