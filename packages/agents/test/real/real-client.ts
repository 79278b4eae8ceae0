import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DecisionEvent } from '@ambit/core';
import { onTestFinished } from 'vitest';
import { removeWhole } from '../../../../test/remove-whole.js';
import { handlersIn } from '../../src/clients/hooks-found.js';
import { loggedSessions } from '../../src/doctor/logged-sessions.js';
import { type ClientName, clientNames } from '../../src/index.js';
import { withHook } from '../../src/install/settings.js';

/** The real clients, where they are installed: a folder with one of each, and the programs that drive them. */
const clients = process.env.REAL_CLIENTS ?? '';
const drivers = new URL('../../../../../shared/clients/', import.meta.url);
export const launch = fileURLToPath(new URL('../../../cli/dist/launch.cjs', import.meta.url));

interface Driver {
  readonly program: (clients: string) => string;
  readonly run: (options: object) => Promise<Driven>;
}

/** What came of one run of a client against a scripted model. */
export interface Driven {
  /** The project's folder. */
  readonly proj: string;
  /** The texts that the model got about its calls. */
  readonly results: readonly { readonly text: string }[];
  readonly requests: readonly { readonly body?: { readonly tools?: readonly object[] } }[];
  readonly out: string;
  readonly err: string;
  readonly rc: unknown;
}

async function driverOf(client: ClientName): Promise<Driver> {
  const name = client === 'claude-code' ? 'claude' : client;
  return (await import(/* @vite-ignore */ new URL(`drive-${name}.mjs`, drivers).href)) as Driver;
}

/** The program of each client that is there. */
export const programs = new Map<ClientName, string>();
if (clients !== '' && existsSync(drivers) && existsSync(launch))
  for (const client of clientNames) {
    const program = (await driverOf(client)).program(clients);
    if (existsSync(program)) programs.set(client, program);
  }

/** The version of Claude Code, as `install` asks for it. */
export function claudeVersion(): string | null {
  const printed = execFileSync(programs.get('claude-code') ?? '', ['--version'], { encoding: 'utf8' });
  return /\b\d+\.\d+\.\d+\b/.exec(printed)?.[0] ?? null;
}

/** How the hook is started: by which words, what they say of its places, and how long the client waits. */
export interface HookChange {
  readonly command?: readonly [string, ...string[]];
  readonly policies?: readonly string[];
  readonly timeout?: number;
  readonly limiter?: readonly string[];
  readonly shell?: string;
}

/** A folder for runs of real clients, with one policy and one state folder for each client. */
export class RealPlace {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'real-')));
  readonly policy = join(this.base, 'policy.yaml');

  constructor(policy: string) {
    onTestFinished(() => removeWhole(this.base));
    writeFileSync(this.policy, policy);
  }

  state(client: ClientName): string {
    return join(this.base, `state-${client}`);
  }

  /** The words that start the hook, as `install` writes them. */
  command(client: ClientName, policies: readonly string[] = [this.policy]): readonly [string, ...string[]] {
    return [
      ...([process.execPath, launch, 'hook', client, '--home', this.base] as const),
      '--state',
      this.state(client),
      '--path',
      '/usr/local/bin:/usr/bin:/bin',
      ...policies.flatMap((file) => ['--policy', file]),
    ];
  }

  /** The hook in the client's own form, out of the very settings that `install` writes. */
  hook(
    client: ClientName,
    { command, policies, timeout = 30, limiter = [], shell }: HookChange = {},
  ): object {
    const [home, project] = [join(this.base, 'none'), join(this.base, 'none')];
    const started = command ?? this.command(client, policies);
    const text = withHook(null, {
      client,
      scope: 'user',
      home,
      project,
      timeout,
      limiter,
      shell: shell ?? null,
      random: '9f2c71',
      command: started,
    });
    if (client === 'opencode') return { plugin: text };
    const { hooks, env } = JSON.parse(text) as { hooks: Record<string, object[]>; env?: object };
    const [before = []] = Object.values(hooks);
    return { hook: handlersIn(before[0] as never)[0], ...(env && { settings: { env } }) };
  }

  /** Runs the client with the hook. `@@PROJ@@` in the script is the project. */
  async drive(
    client: ClientName,
    options: { readonly change?: HookChange; readonly [option: string]: unknown },
  ): Promise<Driven> {
    const { change, ...more } = options;
    const driver = await driverOf(client);
    const of = { clients, work: this.base, name: 'run', timeout: 240_000, ...this.hook(client, change) };
    return driver.run({ ...of, ...more });
  }

  /** What the log says of all calls of a client, in order. */
  async decisions(client: ClientName): Promise<readonly DecisionEvent[]> {
    const sessions = await loggedSessions(this.state(client), () => true);
    return sessions.flatMap((session) => session.decisions);
  }

  write(name: string, text: string): string {
    const file = join(this.base, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }
}

/** The server of two tools that the drivers bring. */
export const tinyServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('mcp-tiny.mjs', drivers))],
};

/** A scripted model in Anthropic's form; `by_marker`: the turns for prompts with this text in `[[…]]`. */
export async function startModel(
  script: readonly unknown[] | { readonly turns: readonly unknown[]; readonly by_marker?: object },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { startFakeAnthropic } = await import(/* @vite-ignore */ new URL('fake-anthropic.mjs', drivers).href);
  return startFakeAnthropic({
    script: { ...('turns' in script ? script : { turns: script }), side: 'Title' },
  });
}

/** A server on this machine, and the paths that it was asked for. */
export async function startPages(): Promise<{
  readonly url: string;
  readonly port: number;
  readonly visited: readonly string[];
}> {
  const visited: string[] = [];
  const server = createServer((request, response) => {
    visited.push(request.url ?? '');
    response.setHeader('content-type', 'text/plain').end('fetched');
  }).listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, visited };
}
