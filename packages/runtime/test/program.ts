import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Workplace } from './session.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The program as it is built. */
export const program = `${root}/packages/cli/dist/launch.cjs`;

/** Builds what is not up to date. */
export async function build(): Promise<void> {
  await promisify(execFile)(`${root}/bin/ambit`, ['--version'], { timeout: 300_000 });
}

/** Starts a command in the working folder, in a process group of its own, without a terminal. */
export function start(place: Workplace, command: readonly [string, ...string[]]): ChildProcess {
  const [file, ...args] = command;
  return spawn(file, args, {
    cwd: place.root,
    detached: true,
    env: { PATH: process.env.PATH, HOME: place.root, AMBIT_HOME: place.state },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** The exit code and what was said on stderr, when it has ended, however it did. */
export function ended(child: ChildProcess): Promise<{ readonly exit: number | null; readonly err: string }> {
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, err }));
  });
}
