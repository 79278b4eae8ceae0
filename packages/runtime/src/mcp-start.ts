import {
  type CallOutcome,
  type Description,
  defineTool,
  defineToolset,
  equalJson,
  forReference,
  guard,
  type InputSchema,
  type JsonObject,
  type Toolset,
} from '@ambit/core';
import { describeStart, type McpServer, mcpToolset, toolsetNameOf } from '@ambit/toolsets';
import type { ActingWorker } from './acting-worker.js';
import { fingerprintFile } from './mcp-fingerprints.js';
import type { RunWorld } from './run-world.js';

type StartingWorld = Pick<RunWorld, 'servers' | 'home' | 'guarded' | 'emit'>;

/**
 * The toolset of an MCP server, which is started once a run. Starting it is itself a call, `toolset.start`, judged and
 * recorded for every worker that refers to it, before there is a process. Rejects when that call is refused or fails.
 */
export async function startMcpServer(
  world: StartingWorld,
  acting: Pick<ActingWorker, 'authority'>,
  stated: McpServer,
): Promise<Toolset> {
  const { servers, home, guarded } = world;
  const server = servers.place(stated);
  const name = toolsetNameOf(server);
  const starting = new Starting(world, acting, server);
  const outcome = await starting.run();
  if (outcome.status === 'refused')
    throw new Error(`the toolset ${name} may not start: ${outcome.refusal.code}: ${outcome.refusal.reason}`);
  if (outcome.status === 'failed') throw new Error(`the toolset ${name} did not start: ${outcome.error}`);
  const running = await servers.running(server);
  if (running === undefined) throw new Error(`the toolset ${name} did not start`);
  return mcpToolset(running, { homes: [home], guarded });
}

/** One attempt to start a server for one worker. */
class Starting {
  #isPrivate = false;
  #again = false;

  constructor(
    readonly world: StartingWorld,
    readonly acting: Pick<ActingWorker, 'authority'>,
    readonly server: McpServer,
  ) {}

  async run(): Promise<CallOutcome> {
    const { acting, server } = this;
    const starter = guard(this.#toolset(), forReference(acting.authority, { layers: [], grants: [] }));
    const call = () => starter.call({ tool: 'start', args: startArguments(server) });
    const outcome = await call();
    if (!this.#again) return outcome;
    // Its name leads to a private address, which nobody had judged: now it is.
    return call();
  }

  #toolset(): Toolset {
    return defineToolset({
      name: 'toolset',
      tools: [
        defineTool({
          name: 'start',
          description: 'Starts a toolset.',
          input: exactly(startArguments(this.server)),
          describe: () => this.#describe(),
          execute: async (_, { described, signal }) => {
            const isJudged = described.some(({ name }) => name === 'net.connect.private');
            await this.#start({ isJudged, signal });
            return null;
          },
        }),
      ],
    });
  }

  async #describe(): Promise<Description> {
    const { world, server } = this;
    const running = await world.servers.running(server)?.catch(() => undefined);
    const isKnown = running?.connection.some(({ name }) => name === 'net.connect.private') ?? false;
    return describeStart(server, {
      searchPath: world.servers.searchPath,
      home: world.home,
      isPrivate: this.#isPrivate || isKnown,
    });
  }

  async #start({
    isJudged,
    signal,
  }: {
    readonly isJudged: boolean;
    readonly signal: AbortSignal;
  }): Promise<void> {
    const { world, acting, server } = this;
    if (world.servers.running(server) !== undefined) return;
    const resolved = await world.servers.resolve(server);
    if (resolved?.isPrivate === true && !isJudged) {
      this.#again = !this.#isPrivate;
      this.#isPrivate = true;
      throw new Error('its name leads to a private address, which was not judged');
    }
    const running = await world.servers.start(server, { resolved, signal });
    const toolset = toolsetNameOf(server);
    world.emit({
      type: 'toolset_started',
      chain: acting.authority.chain,
      toolset,
      tools: running.tools.map(({ name }) => name),
      left_out: running.left_out,
      changed: running.changed,
      first_seen: fingerprintFile(world.servers.state, toolset),
    });
  }
}

/** What is started is what the worker file says: nobody edits it on the way. */
function exactly(expected: JsonObject): InputSchema {
  return {
    json: { type: 'object' },
    parse: (value) =>
      equalJson(value, expected)
        ? { ok: true, value: expected }
        : { ok: false, problem: 'a server is started as the worker file says' },
  };
}

/** What stands in the log and in the question: all that the worker file says about the server. */
function startArguments(server: McpServer): JsonObject {
  const { program, trusted } = server;
  const toolset = toolsetNameOf(server);
  if (program.transport === 'http') {
    const { url, headers } = program;
    return { toolset, trusted, url, headers: { ...headers } };
  }
  const { command, args, folder, environment } = program;
  return { toolset, trusted, command, args: [...args], cwd: folder, env: { ...environment } };
}
