import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  FileError,
  type Kept,
  KeptOutput,
  type Mark,
  newMark,
  type ProcessReach,
  processesOf,
  signalAll,
} from '@ambit/toolsets';

export interface ProcessToRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Path of the working folder, used only to start the program. */
  readonly folder: string;
  /** Whether the first process is the confinement of the command, and ends with it. */
  readonly is_confined: boolean;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** Milliseconds and bytes. */
export interface Limits {
  readonly time: number;
  /** The time between SIGTERM and SIGKILL. */
  readonly grace: number;
  /** How long remaining processes may run while their output is awaited. */
  readonly linger: number;
  /** The most bytes kept of each output. */
  readonly output: number;
}

export const usualLimits: Limits = { time: 120_000, grace: 2000, linger: 500, output: 60_000 };

export interface Ended {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  readonly stdout: Kept;
  readonly stderr: Kept;
  /** The number of remaining processes that were ended. */
  readonly ended: number;
  /** The number of remaining processes that could not be ended. */
  readonly remaining: number;
}

/**
 * Runs a program in its own session, without input. Ends its remaining processes when it has ended, when its
 * time is over, or when the call is cancelled. Rejects if it cannot be started or was cancelled.
 */
export async function runProcess(run: ProcessToRun): Promise<Ended> {
  run.signal.throwIfAborted();
  // No running process can have this value.
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

  if (child.pid === undefined) throw new TypeError('a process that began has no id');
  const reach = { leader: child.pid, mark };
  await untilNone(reach, run.limits.linger);
  const left = await endAll(reach, run);
  await Promise.race([closed, pause(run.limits.linger)]);
  // A process that could not be ended may hold them open forever.
  for (const { stream } of [stdout, stderr, said]) stream.destroy();
  run.signal.throwIfAborted();
  const { text } = said.output.kept();
  if (!text.startsWith('ready') && !exit.timed_out)
    throw new FileError(
      `the command could not be started: ${stderr.output.kept().text.trimEnd().split('\n').pop() ?? ''}`,
    );
  const ended = left.ended + Number(/^left ([0-9]+)$/m.exec(text)?.[1] ?? 0);
  return { ...exit, stdout: stdout.output.kept(), stderr: stderr.output.kept(), ...left, ended };
}

/** The longest report of the launcher, in bytes. */
const mostSaid = 1000;

type Stdio = ChildProcess['stdio'][number];

function keptOf(stream: Stdio, mostBytes: number) {
  if (!(stream instanceof Readable)) throw new TypeError('an output is not a pipe');
  const output = new KeptOutput(mostBytes);
  stream.on('data', (chunk: Buffer) => output.add(chunk));
  // A pipe is at its end when its other end is closed.
  stream.on('error', () => undefined);
  return { stream, output };
}

type Exit = Pick<Ended, 'exit_code' | 'signal' | 'timed_out'>;

async function exitOf(child: ChildProcess, run: ProcessToRun & { readonly mark: Mark }): Promise<Exit> {
  const exited = new Promise<Pick<Exit, 'exit_code' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exit_code, signal) => resolve({ exit_code, signal }));
  });
  const stop = new AbortController();
  const cut = Promise.race([
    pause(run.limits.time, 'time' as const, { signal: stop.signal }),
    once(run.signal, 'abort', { signal: stop.signal }).then(() => 'cancelled' as const),
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

/** Sends SIGTERM to all processes of a call, then SIGKILL. Looks again, because they may start others. */
async function endAll(
  reach: ProcessReach,
  { limits, is_confined }: ProcessToRun,
): Promise<Pick<Ended, 'ended' | 'remaining'>> {
  const first = processesOf(reach);
  if (first.length === 0) return { ended: 0, remaining: 0 };
  // Ending the confinement would kill them without SIGTERM.
  const asked = is_confined ? first.filter((pid) => pid !== reach.leader) : first;
  signalAll(asked, 'SIGTERM');
  // A stopped process does not end.
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
