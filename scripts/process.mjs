import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { root } from './workspace.cjs';

const environment = () => ({
  ...process.env,
  // turbo refuses to run without a pnpm on PATH.
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
});

/** Runs a program of node_modules/.bin with our own terminal. Resolves to its exit code. */
export function run(command, args, { cwd = root, stdin = 'ignore' } = {}) {
  return exitOf(start(command, args, { cwd, stdio: [stdin, 'inherit', 'inherit'] }));
}

/** The same without output. If it fails, the error contains the output. */
export async function runQuietly(command, args, { cwd = root } = {}) {
  const child = start(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  child.stdout.on('data', (chunk) => printed.push(chunk));
  child.stderr.on('data', (chunk) => printed.push(chunk));
  const code = await exitOf(child);
  if (code === 0) return;
  throw new Error(
    `${command} ${args[0] ?? ''} failed with exit code ${code}\n${Buffer.concat(printed).toString()}`,
  );
}

function start(command, args, options) {
  return spawn(command, args, { ...options, env: environment(), shell: process.platform === 'win32' });
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
