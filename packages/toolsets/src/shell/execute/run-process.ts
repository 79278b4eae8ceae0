import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { FileError } from '../../filesystem/failure.js';
import { type Kept, KeptOutput } from '../../processes/kept-output.js';
import { type Mark, newMark, type ProcessReach, processesOf, signalAll } from '../../processes/reach.js';

export interface ProcessToRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A path to be used at once. */
  readonly folder: string;
  /** Whether the first process is not the command, but what confines it, and ends with it. */
  readonly is_confined: boolean;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** Milliseconds and bytes. */
export interface Limits {
  readonly time: number;
  /** Between asking processes to end and ending them. */
  readonly grace: number;
  /** How long what the first process leaves behind may go on, and what they wrote is waited for. */
  readonly linger: number;
  /** Of each output. */
  readonly output: number;
}

export const usualLimits: Limits = { time: 120_000, grace: 2000, linger: 500, output: 60_000 };

export interface Ended {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  readonly stdout: Kept;
  readonly stderr: Kept;
  /** How many processes the first one left behind, that were ended. */
  readonly ended: number;
  /** How many of those could not be ended. */
  readonly remaining: number;
}

/**
 * Runs a program in a session of its own, without input, and ends whatever of it still runs when it has ended, when its time
 * is over, or when the call is cancelled. Rejects when it cannot be started, and when it was cancelled.
 */
export async function runProcess(run: ProcessToRun): Promise<Ended> {
  run.signal.throwIfAborted();
  // No process that runs already can have this one.
  const mark = newMark();
  const child = spawn(run.program, run.args, {
    cwd: run.folder,
    env: { ...run.environment, [mark.name]: mark.value },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const stdout = keptOf(child.stdio[1], run.limits.output);
  const stderr = keptOf(child.stdio[2], run.limits.output);
  const said = keptOf(child.stdio[3], mostSaid);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exit = await exitOf(child, { ...run, mark });

  if (child.pid === undefined) throw new TypeError('a process that began has a number');
  const reach = { leader: child.pid, mark };
  await untilNone(reach, run.limits.linger);
  const left = await endAll(reach, run);
  await Promise.race([closed, pause(run.limits.linger)]);
  // What could not be ended may hold them open for ever.
  for (const { stream } of [stdout, stderr, said]) stream.destroy();
  run.signal.throwIfAborted();
  const { text } = said.output.kept();
  if (!text.startsWith('ready') && !exit.timed_out)
    throw new FileError(`the command could not be started: ${lastLine(stderr.output.kept().text)}`);
  const ended = left.ended + Number(/^left ([0-9]+)$/m.exec(text)?.[1] ?? 0);
  return { ...exit, stdout: stdout.output.kept(), stderr: stderr.output.kept(), ...left, ended };
}

/** Of what the launcher says, in bytes. */
const mostSaid = 1000;

type Stdio = ChildProcess['stdio'][number];

interface Keeping {
  readonly stream: Readable;
  readonly output: KeptOutput;
}

function keptOf(stream: Stdio, mostBytes: number): Keeping {
  if (!(stream instanceof Readable)) throw new TypeError('an output is a pipe');
  const output = new KeptOutput(mostBytes);
  stream.on('data', (chunk: Buffer) => output.add(chunk));
  // A pipe whose other end is gone is at its end.
  stream.on('error', () => undefined);
  return { stream, output };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').pop() ?? '';
}

type Exit = Pick<Ended, 'exit_code' | 'signal' | 'timed_out'>;

async function exitOf(child: ChildProcess, run: ProcessToRun & { readonly mark: Mark }): Promise<Exit> {
  const exited = new Promise<Pick<Exit, 'exit_code' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exit_code, signal) => resolve({ exit_code, signal }));
  });
  const stop = new AbortController();
  const cut = Promise.race([
    pause(run.limits.time, stop.signal).then(() => 'time' as const),
    aborted(run.signal, stop.signal).then(() => 'cancelled' as const),
  ]);
  try {
    const first = await Promise.race([exited, cut]);
    if (typeof first !== 'string') return { ...first, timed_out: false };
    if (child.pid !== undefined) await endAll({ leader: child.pid, mark: run.mark }, run);
    return { ...(await exited), timed_out: first === 'time' };
  } finally {
    stop.abort();
  }
}

/** Asks all processes of a call to end, and then ends them. Those that start others meanwhile are looked for again. */
async function endAll(
  reach: ProcessReach,
  { limits, is_confined }: ProcessToRun,
): Promise<Pick<Ended, 'ended' | 'remaining'>> {
  const first = processesOf(reach);
  if (first.length === 0) return { ended: 0, remaining: 0 };
  // What confines them would take them all with it, unasked.
  const asked = is_confined ? first.filter((pid) => pid !== reach.leader) : first;
  signalAll(asked, 'SIGTERM');
  // Who is stopped does not end.
  signalAll(asked, 'SIGCONT');
  const seen = new Set(first);
  let left = await untilNone(reach, limits.grace);
  for (let round = 0; round < mostRounds && left.length > 0; round += 1) {
    for (const pid of left) seen.add(pid);
    signalAll(left, 'SIGKILL');
    left = await untilNone(reach, roundTime);
  }
  return { ended: seen.size - left.length, remaining: left.length };
}

const mostRounds = 40;
const roundTime = 50;

async function untilNone(reach: ProcessReach, time: number): Promise<readonly number[]> {
  const end = Date.now() + time;
  for (;;) {
    const left = processesOf(reach);
    if (left.length === 0 || Date.now() >= end) return left;
    await pause(10);
  }
}

function pause(milliseconds: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stop?.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

function aborted(signal: AbortSignal, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: stop });
  });
}
