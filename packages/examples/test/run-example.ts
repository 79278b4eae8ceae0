import { execFile, spawn } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const examples = join(root, 'packages/examples');

export interface Ended {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** Builds what is not up to date: the examples run from the build. */
export async function build(): Promise<void> {
  await promisify(execFile)(join(root, 'bin/ambit'), ['--version'], { timeout: 300_000 });
}

/** Runs a Node program without a terminal and without a key. Resolves when it has ended in any way. */
export function runNode(
  args: readonly string[],
  of: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: of.cwd,
    env: { ...process.env, ANTHROPIC_API_KEY: '', AMBIT_HOME: join(of.cwd, '.state'), ...of.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, ...said }));
  });
}

/** `npm start -- ARGS`, typed in a folder. */
export function npmStart(args: readonly string[], cwd: string): Promise<Ended> {
  return runNode([join(root, 'scripts/run.mjs'), 'start', ...args], { cwd, env: { INIT_CWD: cwd } });
}

/** A folder for one test; `remove` takes it away. */
export async function scratchFolder(): Promise<{
  readonly folder: string;
  readonly remove: () => Promise<void>;
}> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ambit-examples-test-')));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
