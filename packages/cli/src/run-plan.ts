import { resolve } from 'node:path';
import { type EntryCall, type Mode, type Opened, type OpenOptions, open, resume } from '@ambit/runtime';
import { UnusableError } from './failure.js';
import type { Host } from './host.js';
import { policyFiles } from './policies.js';
import { inputOf } from './run-input.js';
import {
  attachedFiles,
  budgetOf,
  contextOf,
  foldersOf,
  isAtTerminal,
  modeOf,
  type RunCommandOptions,
  waitingOf,
  workerFile,
} from './run-options.js';
import { byId } from './store/by-id.js';
import { withStore } from './store/with-store.js';

/** What is to be run: a new run, or one that goes on. */
export interface RunPlan {
  readonly mode: Mode;
  readonly entry: EntryCall;
  readonly open: (given: Pick<OpenOptions, 'approver' | 'onEvent'>) => Promise<Opened>;
}

interface RunCall {
  readonly worker: string | undefined;
  readonly input: string | undefined;
}

export function planOf(host: Host, call: RunCall, options: RunCommandOptions): Promise<RunPlan> {
  return options.resume === undefined
    ? newRun(host, call, options)
    : earlierRun(host, call, options.resume, options);
}

async function newRun(host: Host, { worker, input }: RunCall, options: RunCommandOptions): Promise<RunPlan> {
  if (worker === undefined)
    throw new UnusableError('no worker was named', 'ambit run WORKER, or ambit run --resume RUN');
  const mode = modeOf(host, options);
  const workers = await workerFile(host, worker);
  const attachments = await attachedFiles(host, options.attach);
  const given = await inputOf(host, input);
  const wanted = {
    root: host.folder,
    policies: await policyFiles(host, options.policy),
    observe: options.observe,
    workers,
    mode,
    context: contextOf(options.context),
    folders: foldersOf(host, options.folder),
    open: options.open ?? false,
    ...(options.log === undefined ? {} : { log: resolve(host.folder, options.log) }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...limitsOf(host, options),
  };
  return {
    mode,
    entry: { attachments, ...(given === undefined ? {} : { input: given }) },
    open: (more) => open({ ...wanted, ...more }),
  };
}

async function earlierRun(
  host: Host,
  call: RunCall,
  wanted: string,
  options: RunCommandOptions,
): Promise<RunPlan> {
  requireNothingNew(call, options);
  const { id, mode: before } = await withStore(host, async (store) =>
    byId(await store.runs(), wanted, { noun: 'run', idOf: (one) => one.id, list: 'ambit runs list' }),
  );
  // Without a flag, as the run was: whoever asks for less is heard, whoever asks for more is refused where it is opened.
  const isOwn = options.approveAll !== true && options.strict !== true;
  const mode = isOwn && before !== 'interactive' ? (before as Mode) : modeOf(host, options);
  const policies = options.policy.map((file) => resolve(host.folder, file));
  const more = {
    root: host.folder,
    policies,
    ...(isOwn ? {} : { mode }),
    ...limitsOf(host, options),
  };
  return { mode, entry: {}, open: (given) => resume(id, { ...more, ...given }) };
}

function limitsOf(host: Host, options: RunCommandOptions) {
  const budget = budgetOf(options);
  return {
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...waitingOf(options),
    // At a terminal there is somebody else besides.
    ...(isAtTerminal(host) && options.park !== true ? { wait: true } : {}),
    environment: host.environment,
    ...(options.timeout === undefined ? {} : { answerLimit: options.timeout * 1000 }),
  };
}

/** A run goes on with what it was begun with. */
function requireNothingNew({ worker, input }: RunCall, options: RunCommandOptions): void {
  const given = [
    ...(worker === undefined ? [] : ['WORKER']),
    ...(input === undefined ? [] : ['INPUT']),
    ...(['observe', 'attach', 'context', 'folder'] as const)
      .filter((key) => options[key].length > 0)
      .map(flag),
    ...(['model', 'log', 'open'] as const).filter((key) => options[key] !== undefined).map(flag),
  ];
  if (given.length > 0)
    throw new UnusableError(
      `a run that goes on has its ${given.join(', ')} already`,
      'ambit run --resume RUN',
    );
}

function flag(key: string): string {
  return `--${key}`;
}
