import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { orNull } from '@ambit/core';
import { KeptOutput } from '../../processes/kept-output.js';
import { newMark, type ProcessReach, processesOf, signalAll } from '../../processes/reach.js';

export interface ProcessToStart {
  readonly path: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** Nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A server's processes, in their own session, so all of them can be ended. */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #errors = new KeptOutput(mostErrors);
  /** Null if it could not be started. */
  readonly #reach: ProcessReach | null;
  #ending: Promise<void> | null = null;
  #fault: Error | null = null;
  readonly #exit: Promise<void>;

  constructor({ path, args, folder, environment }: ProcessToStart) {
    // No other process has this mark.
    const mark = newMark();
    this.child = spawn(path, args, {
      cwd: folder,
      env: { ...environment, [mark.name]: mark.value },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
    });
    this.#reach = this.child.pid === undefined ? null : { leader: this.child.pid, mark };
    this.#exit = new Promise((resolve) => this.child.once('exit', () => resolve()));
    // Listened to from the start: an unhandled error event ends the program.
    this.child.on('error', (error) => {
      this.#fault = error;
    });
    this.child.stdin.on('error', () => undefined);
    // Read to its end, so the server does not block; partly kept, to explain why it ended.
    this.child.stderr.on('data', (chunk: Buffer) => this.#errors.add(chunk));
    this.child.stderr.on('error', () => undefined);
    if (this.#reach !== null) live(this.#reach);
  }

  /** Why it could not be started; null if it could. */
  get fault(): Error | null {
    return this.#fault;
  }

  get errors(): string {
    return this.#errors.kept().text.trim();
  }

  /** Closes its input, then ends all of its processes. Idempotent. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.child.stdin.destroy();
    const reach = this.#reach;
    if (reach === null) return;
    await Promise.race([this.#exit, pause(grace)]);
    for (let round = 0; round < mostRounds && remainingProcesses(reach).length > 0; round += 1) {
      const processes = remainingProcesses(reach);
      signalAll(processes, round === 0 ? 'SIGTERM' : 'SIGKILL');
      // A stopped process ends only once it continues.
      signalAll(processes, 'SIGCONT');
      await untilNone(reach, round === 0 ? grace : roundTime);
    }
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    living.delete(reach);
  }
}

const mostErrors = 4_000;
/** Milliseconds. */
const grace = 500;
const roundTime = 50;
const mostRounds = 40;

const living = new Set<ProcessReach>();
let isWatching = false;

/** If a program exits without closing its runs, its servers end too. */
function live(reach: ProcessReach): void {
  living.add(reach);
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const each of living) signalAll(remainingProcesses(each), 'SIGKILL');
  });
}

/** By process group, where the system does not show processes as files. */
function remainingProcesses(reach: ProcessReach): readonly number[] {
  const group = -reach.leader;
  return orNull(() => processesOf(reach)) ?? (orNull(() => process.kill(group, 0)) === true ? [group] : []);
}

async function untilNone(reach: ProcessReach, time: number): Promise<void> {
  const end = Date.now() + time;
  while (Date.now() < end && remainingProcesses(reach).length > 0) await pause(30);
}
