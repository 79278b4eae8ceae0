import { type ChildProcess, spawn } from 'node:child_process';
import { type Kept, KeptOutput } from './kept-output.js';
import { processesOf, type Reach, signalAll } from './reach.js';

export interface ProcessToRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A path to be used at once. */
  readonly folder: string;
  /** One of the variables: `NAME=value`, of no other call. */
  readonly mark: string;
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
  const child = spawn(run.program, run.args, {
    cwd: run.folder,
    env: run.environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outputs = { stdout: new KeptOutput(run.limits.output), stderr: new KeptOutput(run.limits.output) };
  child.stdout.on('data', (chunk: Buffer) => outputs.stdout.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => outputs.stderr.add(chunk));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exit = await exitOf(child, run);
  const reach = { leader: child.pid ?? 0, mark: run.mark };
  await untilNone(reach, run.limits.linger);
  const left = await endAll(reach, run.limits.grace);
  await Promise.race([closed, pause(run.limits.linger)]);
  // What could not be ended may hold them open for ever.
  child.stdout.destroy();
  child.stderr.destroy();
  run.signal.throwIfAborted();
  return { ...exit, stdout: outputs.stdout.kept(), stderr: outputs.stderr.kept(), ...left };
}

type Exit = Pick<Ended, 'exit_code' | 'signal' | 'timed_out'>;

async function exitOf(child: ChildProcess, { mark, limits, signal }: ProcessToRun): Promise<Exit> {
  const exited = new Promise<Pick<Exit, 'exit_code' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exit_code, signal) => resolve({ exit_code, signal }));
  });
  const stop = new AbortController();
  const cut = Promise.race([
    pause(limits.time, stop.signal).then(() => 'time' as const),
    aborted(signal, stop.signal).then(() => 'cancelled' as const),
  ]);
  try {
    const first = await Promise.race([exited, cut]);
    if (typeof first !== 'string') return { ...first, timed_out: false };
    if (child.pid !== undefined) await endAll({ leader: child.pid, mark }, limits.grace);
    return { ...(await exited), timed_out: first === 'time' };
  } finally {
    stop.abort();
  }
}

/** Asks all processes of a call to end, and then ends them. Those that start others meanwhile are looked for again. */
async function endAll(reach: Reach, grace: number): Promise<Pick<Ended, 'ended' | 'remaining'>> {
  const first = processesOf(reach);
  if (first.length === 0) return { ended: 0, remaining: 0 };
  signalAll(first, 'SIGTERM');
  // Who is stopped does not end.
  signalAll(first, 'SIGCONT');
  const seen = new Set(first);
  let left = await untilNone(reach, grace);
  for (let round = 0; round < mostRounds && left.length > 0; round += 1) {
    for (const pid of left) seen.add(pid);
    signalAll(left, 'SIGKILL');
    left = await untilNone(reach, roundTime);
  }
  return { ended: seen.size - left.length, remaining: left.length };
}

const mostRounds = 40;
const roundTime = 50;

async function untilNone(reach: Reach, time: number): Promise<readonly number[]> {
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
