import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { KeptOutput } from '../shell/execute/kept-output.js';
import { newMark, processesOf, type Reach, signalAll } from '../shell/execute/reach.js';

export interface ProcessToStart {
  /** Absolute. */
  readonly path: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** All of it: nothing comes from the host's own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A server's process, with whatever it starts: in a session of its own, so that all of it can be ended. */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #errors = new KeptOutput(mostErrors);
  /** Null where it could not be started. */
  readonly #reach: Reach | null;
  #ending: Promise<void> | null = null;
  #fault: Error | null = null;

  constructor({ path, args, folder, environment }: ProcessToStart) {
    // No process that runs already can have this one.
    const mark = newMark();
    this.child = spawn(path, args, {
      cwd: folder,
      env: { ...environment, [mark.name]: mark.value },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
    });
    this.#reach = this.child.pid === undefined ? null : { leader: this.child.pid, mark };
    // Listened to from the beginning: whoever talks to it may come too late, and an error that nobody hears ends the program.
    this.child.on('error', (error) => {
      this.#fault = error;
    });
    this.child.stdin.on('error', () => undefined);
    // Read to its end, or the server would wait for it; kept in part, for whoever asks why it ended.
    this.child.stderr.on('data', (chunk: Buffer) => this.#errors.add(chunk));
    this.child.stderr.on('error', () => undefined);
    if (this.#reach !== null) live(this.#reach);
  }

  /** Why it could not be started; null where it could. */
  get fault(): Error | null {
    return this.#fault;
  }

  /** What it wrote for people; in its own words. */
  get errors(): string {
    return this.#errors.kept().text.trim();
  }

  /** Ends all of its processes. Asks first, by closing its input; resolves when none is left, once, however often it is called. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.child.stdin.destroy();
    const reach = this.#reach;
    if (reach === null) return;
    await untilNone(reach, grace);
    for (let round = 0; round < mostRounds; round += 1) {
      const left = processesOf(reach);
      if (left.length === 0) break;
      signalAll(left, round === 0 ? 'SIGTERM' : 'SIGKILL');
      // Who is stopped does not end.
      signalAll(left, 'SIGCONT');
      await untilNone(reach, round === 0 ? grace : roundTime);
    }
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    living.delete(reach);
  }
}

const mostErrors = 4_000;
/** Milliseconds. */
const grace = 1_000;
const roundTime = 50;
const mostRounds = 40;

const living = new Set<Reach>();
let isWatching = false;

/** A program that ends without closing its runs takes the servers with it. */
function live(reach: Reach): void {
  living.add(reach);
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const each of living) signalAll(processesOf(each), 'SIGKILL');
  });
}

async function untilNone(reach: Reach, time: number): Promise<void> {
  const end = Date.now() + time;
  while (Date.now() < end && processesOf(reach).length > 0) await new Promise((done) => setTimeout(done, 15));
}
