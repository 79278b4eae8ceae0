import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallOutcome, Capability, Description, Json, JsonObject, Tool } from '@ambit/core';
import { onTestFinished } from 'vitest';
import {
  type McpServer,
  mcpToolset,
  noFingerprints,
  type RunningServer,
  startServer,
} from '../../src/index.js';
import { world } from '../filesystem/world.js';

const serve = join(dirname(fileURLToPath(import.meta.url)), 'serve.mjs');

export interface Setting {
  readonly server?: Partial<McpServer>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly fingerprints?: Parameters<typeof startServer>[1]['fingerprints'];
  readonly args?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** A server that runs a script, which has `serve`, `send`, `ask`, `tool` and `text` at hand. Ended with the test. */
export async function started(script: string, setting: Setting = {}): Promise<Started> {
  const { base, at } = world({
    'server.mjs': `import { ask, send, serve, text, tool } from ${JSON.stringify(serve)};\n${script}\n`,
    ...setting.files,
  });
  const program = {
    transport: 'stdio',
    command: process.execPath,
    args: setting.args ?? [at('server.mjs')],
    folder: base,
    environment: setting.environment ?? {},
  } as const;
  return startedBy({ program, ...setting.server }, { ...setting, base });
}

export async function startedBy(
  server: Partial<McpServer> & Pick<McpServer, 'program'>,
  { base, fingerprints = noFingerprints }: Setting & { readonly base: string },
): Promise<Started> {
  const running = await startServer(
    { ...usual, ...server },
    {
      searchPath: ['/usr/bin', '/bin'],
      home: '/nowhere/home',
      resolved: null,
      signal: new AbortController().signal,
      fingerprints,
    },
  );
  onTestFinished(() => running.close());
  return new Started(running, base);
}

const usual = {
  key: 'x',
  trusted: false,
  prefix: '',
  carries: {},
  limits: { start: 20_000, call: 20_000 },
} as const;

/** A running server, its tools called as the guard calls them. */
export class Started {
  constructor(
    readonly running: RunningServer,
    readonly base: string,
  ) {}

  get tools(): readonly Tool[] {
    return mcpToolset(this.running, {
      homes: ['/home/ada'],
      guarded: [{ path: `${this.base}/guarded`, what: 'log' }],
    }).tools;
  }

  get names(): readonly string[] {
    return this.tools.map(({ name }) => name);
  }

  async describe(tool: string, args: JsonObject = {}): Promise<Description> {
    return this.#tool(tool).describe(this.parsed(tool, args), { chain: ['main'], signal: never });
  }

  parsed(tool: string, args: JsonObject): JsonObject {
    const parsed = this.#tool(tool).input.parse(args);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.value;
  }

  async capabilities(tool: string, args: JsonObject = {}): Promise<readonly Capability[]> {
    return (await this.describe(tool, args)).capabilities;
  }

  /** Describes the call, and executes it. */
  async call(tool: string, args: JsonObject = {}, signal: AbortSignal = never): Promise<Json> {
    const described = await this.capabilities(tool, args);
    return this.execute(tool, { args, described, signal });
  }

  async execute(
    tool: string,
    of: {
      readonly args: JsonObject;
      readonly described: readonly Capability[];
      readonly signal?: AbortSignal;
    },
  ): Promise<Json> {
    const { args, described, signal = never } = of;
    const call = (): Promise<CallOutcome> => Promise.reject(new Error('no calls here'));
    return this.#tool(tool).execute(this.parsed(tool, args), {
      id: 'call',
      chain: ['main'],
      described,
      signal,
      call,
    });
  }

  #tool(name: string): Tool {
    const tool = this.tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool;
  }
}

const never = new AbortController().signal;

/** Why something rejects. */
export async function whyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
