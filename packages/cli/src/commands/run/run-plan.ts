import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { type Mode, printable, shellWord, stated } from '@ambit/core';
import {
  canGoOn,
  type EntryCall,
  lastMode,
  type Opened,
  type OpenOptions,
  open,
  resume,
  runStatus,
  type Step,
} from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import { type Host, wholeOf, withoutMark, write } from '../../host.js';
import { isAtTerminal } from '../../questions/person.js';
import { contextOf, foldersOf } from '../given/pairs.js';
import { policyFiles } from '../given/policies.js';
import { runNamed, withStore } from '../store/with-store.js';
import { attachedFiles, modeOf, type RunCommandOptions, recordingOf, workerFile } from './run-options.js';

export interface RunPlan {
  readonly mode: Mode;
  readonly entry: EntryCall;
  readonly past: readonly Step[];
  readonly open: (given: Pick<OpenOptions, 'approver' | 'onEvent' | 'nextTurn'>) => Promise<Opened>;
}

export interface RunCall {
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
    throw new UnusableError('no worker given', 'ambit run WORKER, or ambit run --resume RUN');
  const mode = modeOf(host, options);
  const workers = await workerFile(host, worker);
  await nameInterrupted(host);
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
    ...stated({ log: logOf(host, options), model: options.model }),
    ...limitsOf(host, options),
  };
  const entry = { attachments, ...stated({ input: given }) };
  return { mode, entry, past: [], open: (more) => open({ ...wanted, entry, ...more }) };
}

/** After a crash, names the newest run that can be resumed. */
async function nameInterrupted(host: Host): Promise<void> {
  const runs = await withStore(host, (store) => store.runs()).catch(() => []);
  const left = runs.find((run) => runStatus(run) === 'interrupted' && canGoOn(run));
  if (left === undefined) return;
  const about = `the run ${left.id} of ${left.worker} was interrupted`;
  await write(
    host.stderr,
    `ambit: ${printable(about)}; ${host.program} run --resume ${shellWord(left.id)}\n`,
  );
}

async function earlierRun(
  host: Host,
  call: RunCall,
  wanted: string,
  options: RunCommandOptions,
): Promise<RunPlan> {
  const { record, past } = await withStore(host, async (store) => {
    const found = runNamed(await store.runs(), wanted);
    return { record: found, past: await store.steps(found.id) };
  });
  const entry = past.find((step) => step.step === 'entry')?.entry ?? {};
  const before = lastMode(record, past);
  // Checked before the approver: an ended run asks no questions.
  if (!canGoOn(record))
    throw new UnusableError(`the run ${record.id} has ended: ${record.status}`, 'start another');
  if (call.input !== undefined && (await inputOf(host, call.input)) !== entry.input)
    throw new UnusableError('the run started with another input', 'leave INPUT out, or start another run');
  if (options.attach.length > 0)
    throw new UnusableError('a resumed run already has its attachments', 'leave --attach out');
  // Without a flag, the previous mode applies: opening accepts a stricter one, and refuses a looser one.
  const isOwn = options.approveAll !== true && options.strict !== true;
  const mode = isOwn && before !== 'interactive' ? before : modeOf(host, options);
  const more = {
    root: host.folder,
    policies: options.policy,
    ...(isOwn ? {} : { mode }),
    ...(await toldAgain(host, call, options)),
    ...limitsOf(host, options),
  };
  return { mode, entry: {}, past, open: (given) => resume(record.id, { ...more, ...given }) };
}

async function toldAgain(host: Host, { worker }: RunCall, options: RunCommandOptions) {
  const { observe, context, folder, model } = options;
  return stated({
    workers: worker === undefined ? undefined : await workerFile(host, worker),
    observe: observe.length === 0 ? undefined : observe,
    context: context.length === 0 ? undefined : contextOf(context),
    folders: folder.length === 0 ? undefined : foldersOf(host, folder),
    log: logOf(host, options),
    model,
  });
}

function logOf(host: Host, { log }: RunCommandOptions): string | undefined {
  return log === undefined ? undefined : resolve(host.folder, log);
}

function limitsOf(host: Host, options: RunCommandOptions) {
  const { wait = false, park = false, timeout, maxCalls: calls, maxTokens: tokens } = options;
  const budget = stated({ calls, tokens, minutes: options.maxMinutes });
  return {
    ...stated({
      recording: recordingOf(options),
      budget: Object.keys(budget).length === 0 ? undefined : budget,
      answerLimit: timeout === undefined ? undefined : timeout * 1000,
    }),
    park,
    // In a terminal, the person there can answer too.
    wait: wait || (isAtTerminal(host) && !park),
    environment: host.environment,
  };
}

/** Bytes: a model reads no more than that in any case. */
const mostInput = 8_000_000;

/** `-` reads stdin as UTF-8. */
async function inputOf({ stdin }: Host, input: string | undefined): Promise<string | undefined> {
  if (input !== '-') return input;
  if (stdin.isTTY === true)
    throw new UnusableError('the input `-` reads stdin, and stdin is a terminal', 'pipe it in');
  const bytes = await wholeOf(stdin, mostInput);
  if (bytes === null) throw new UnusableError(`the input on stdin is longer than ${mostInput} bytes`);
  if (!isUtf8(bytes)) throw new UnusableError('the input on stdin is not UTF-8');
  return withoutMark(bytes);
}
