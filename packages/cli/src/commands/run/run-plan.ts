import { isUtf8 } from 'node:buffer';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, type Mode, printable, remembered, shellWord, stated } from '@ambit/core';
import { formatDiagnostics } from '@ambit/policy';
import { nearest } from '@ambit/policy/yaml';
import {
  canGoOn,
  type EntryCall,
  lastMode,
  loadWorkers,
  namesFolder,
  type Opened,
  type OpenOptions,
  open,
  resume,
  runStatus,
  type Step,
} from '@ambit/runtime';
import { UnloadableError, UnusableError } from '../../failure.js';
import { type Host, wholeOf, withoutMark, write } from '../../host.js';
import { isAtTerminal } from '../../questions/person.js';
import { contextOf, foldersOf } from '../given/pairs.js';
import { givenPolicies, policyFiles } from '../given/policies.js';
import { runNamed, withStore } from '../store/with-store.js';
import type { OptionsOf } from '../table/table.js';

interface RunPlan {
  readonly mode: Mode;
  readonly entry: EntryCall;
  readonly past: readonly Step[];
  readonly open: (given: Pick<OpenOptions, 'approver' | 'onEvent' | 'nextTurn'>) => Promise<Opened>;
}

export interface RunCall {
  readonly worker: string | undefined;
  readonly input: string | undefined;
}

export function planOf(host: Host, call: RunCall, options: OptionsOf<'run'>): Promise<RunPlan> {
  return options.resume === undefined
    ? newRun(host, call, options)
    : earlierRun(host, call, options.resume, options);
}

async function newRun(host: Host, { worker, input }: RunCall, options: OptionsOf<'run'>): Promise<RunPlan> {
  if (worker === undefined)
    throw new UnusableError('no worker given', 'ambit run WORKER, or ambit run --resume RUN');
  const workers = await workerFile(host, worker);
  const policies = await policyFiles(host, options.policy);
  const mode = await modeOfNewRun(host, options, workers);
  await nameInterrupted(host);
  const attachments = await attachedFiles(host, options.attach);
  const given = await inputOf(host, input);
  const wanted = {
    root: host.folder,
    policies,
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
  options: OptionsOf<'run'>,
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

async function toldAgain(host: Host, { worker }: RunCall, options: OptionsOf<'run'>) {
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

function logOf(host: Host, { log }: OptionsOf<'run'>): string | undefined {
  return log === undefined ? undefined : resolve(host.folder, log);
}

function limitsOf(host: Host, options: OptionsOf<'run'>) {
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

/** Without an approver, mistakes in the files come first: no other mode helps. */
async function modeOfNewRun(host: Host, options: OptionsOf<'run'>, workers: string): Promise<Mode> {
  try {
    return modeOf(host, options);
  } catch (error) {
    await givenPolicies(host, options);
    const { problems } = await loadWorkers(workers, { root: host.folder, shared: [] });
    const diagnostics = problems.flatMap(({ diagnostic }) => diagnostic ?? []);
    if (diagnostics.length > 0) throw new UnloadableError(diagnostics, [formatDiagnostics(diagnostics)]);
    throw error;
  }
}

/** Throws without an approver. */
function modeOf(host: Host, options: OptionsOf<'run'>): Mode {
  const flags = {
    '--approve-all': options.approveAll,
    '--strict': options.strict,
    '--wait': options.wait,
    '--park': options.park,
  };
  const [first, second] = Object.entries(flags).flatMap(([name, given]) => (given === true ? [name] : []));
  if (first !== undefined && second !== undefined)
    throw new UnusableError(`${first} and ${second} exclude each other`, 'give one of them');
  if (options.approveAll === true) return 'approve_all';
  if (options.strict === true) return 'strict';
  if (first !== undefined || isAtTerminal(host)) return 'interactive';
  throw new UnusableError(
    'cannot ask: stdin is not a terminal; nothing was run',
    // A resumed run has no looser mode.
    `give --strict to refuse what needs approval, ${options.resume === undefined ? '--approve-all to approve it, ' : ''}--wait to answer with \`ambit approvals\`, or --park to resume later`,
  );
}

/** Undefined where nothing is said about the log. */
function recordingOf(options: OptionsOf<'run'>): OpenOptions['recording'] {
  const { logMaxBytes: bytes, logMaxEntries: entries, logMaxAge, logCommit, logMask } = options;
  const rotate = stated({ bytes, entries, seconds: logMaxAge && logMaxAge * 60 });
  const recording = stated({
    rotate: Object.keys(rotate).length === 0 ? undefined : rotate,
    commit: logCommit,
    mask: logMask.length === 0 ? undefined : maskRulesOf(logMask),
  });
  return Object.keys(recording).length === 0 ? undefined : recording;
}

function maskRulesOf(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const rules = new Map<string, string[]>();
  for (const pair of pairs) {
    const [, tool, path] = /^([^=]+)=([^=.]+(?:\.[^=.]+)*)$/.exec(pair) ?? [];
    if (tool === undefined || path === undefined)
      throw new UnusableError(
        `--log-mask takes TOOL=PATH, not \`${pair}\``,
        '--log-mask crm.login=user, or cards.*.number',
      );
    remembered(rules, tool, () => []).push(path);
  }
  return Object.fromEntries(rules);
}

/** The path as given, or of the worker of that name in the working folder. */
async function workerFile(host: Host, worker: string): Promise<string> {
  const isPath = worker.includes('/') || worker.endsWith('.worker');
  const name = isPath ? worker : `${worker}.worker`;
  const path = resolve(host.folder, name);
  const found = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'EACCES') throw error;
    return null;
  });
  if (found?.isFile() === true) return path;
  if (found !== null)
    throw new UnusableError(`${name} is not a regular file`, 'a worker is a regular file NAME.worker');
  const others = (await readdir(dirname(path)).catch(() => [])).filter((file) => file.endsWith('.worker'));
  const near = nearest(basename(path), others);
  const hint =
    near !== null
      ? `did you mean ${isPath ? join(dirname(worker), near) : near.slice(0, -'.worker'.length)}?`
      : others.length === 0
        ? 'a worker is a file NAME.worker'
        : `there is ${others.slice(0, 8).join(', ')}${others.length > 8 ? ', …' : ''}`;
  throw new UnusableError(`there is no worker \`${worker}\`: ${name} is not a file`, hint);
}

async function attachedFiles(host: Host, files: readonly string[]): Promise<readonly string[]> {
  const folder = files.find(namesFolder);
  if (folder !== undefined)
    throw new UnusableError(
      `${folder}: names a folder, so it cannot be attached`,
      'leave out what follows the name',
    );
  const paths = files.map((file) => resolve(host.folder, file));
  for (const path of paths) {
    await access(path, constants.R_OK);
    if (!(await stat(path)).isFile())
      throw new UnusableError(`${path}: is not a file, so it cannot be attached`, 'give a file');
  }
  return paths;
}
