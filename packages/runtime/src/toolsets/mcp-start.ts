import {
  type Capability,
  type Description,
  defineTool,
  type ExecuteContext,
  equalJson,
  type InputSchema,
  type Json,
  type JsonObject,
  StartOver,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { describeLineIn } from '@ambit/shell';
import {
  describeStart,
  type McpServer,
  mcpToolset,
  type RunningServer,
  toolsetNameOf,
} from '@ambit/toolsets';
import type { ActingWorker } from '../catalogue/acting-worker.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Happening } from '../host/session-event.js';
import type { Journal } from '../journal/journal.js';
import { fingerprintFile } from '../trust/mcp-fingerprints.js';
import type { McpServers } from './mcp-servers.js';
import { callStart } from './start-call.js';

interface Starting {
  readonly servers: McpServers;
  readonly catalogue: Pick<Catalogue, 'home' | 'guarded'>;
  readonly journal: Journal;
  readonly emit: (event: Happening) => void;
}

/** An MCP server's toolset, started once in a run. Each worker's start is the call `toolset.start`. */
export async function startMcpServer(
  of: Starting,
  acting: Pick<ActingWorker, 'authority' | 'place'>,
  stated: McpServer,
): Promise<Toolset> {
  const { servers, catalogue } = of;
  const { home, guarded } = catalogue;
  const server = servers.place(stated);
  const name = toolsetNameOf(server);
  const { journal } = of;
  await callStart(startTool(of, server), { acting, journal, toolset: name, args: startArguments(server) });
  const running = await servers.running(server);
  if (running === undefined) throw new Error(`the toolset ${name} did not start`);
  return mcpToolset(running, { homes: [home], guarded });
}

function startTool(of: Starting, server: McpServer): Tool {
  return defineTool({
    name: 'start',
    description: 'Starts a toolset.',
    input: exactly(startArguments(server)),
    describe: (_, { learnt }) => describeStarting(of, server, learnt),
    execute: async (_, context) => {
      const started = await (of.servers.running(server) ?? start(of, server, context));
      // Another worker may have started it meanwhile under other policies.
      if (started.connection.some(isPrivateConnection)) requirePrivateJudged(context);
      return null;
    },
  });
}

async function start(of: Starting, server: McpServer, context: ExecuteContext): Promise<RunningServer> {
  const { described, learnt, signal } = context;
  const resolved = await of.servers.resolve(server);
  // The addresses of a name are known only now.
  if (resolved?.isPrivate === true) requirePrivateJudged(context);
  const { capabilities } = await describeStarting(of, server, learnt);
  // A link on the way to the program may lead elsewhere since then.
  if (!capabilities.every((one) => described.some((other) => equalJson(one, other))))
    throw new StartOver(learnt ?? { private: false });
  const isFirst = of.servers.running(server) === undefined;
  const running = await of.servers.start(server, { resolved, signal });
  if (!isFirst) return running;
  const toolset = toolsetNameOf(server);
  of.emit({
    type: 'toolset_started',
    chain: context.chain,
    toolset,
    tools: running.tools.map(({ name }) => name),
    left_out: running.left_out,
    changed: running.changed,
    first_seen: fingerprintFile(of.servers.state, toolset),
  });
  return running;
}

function requirePrivateJudged({ described }: ExecuteContext): void {
  if (!described.some(isPrivateConnection)) throw new StartOver({ private: true });
}

function describeStarting(
  { servers, catalogue: { home } }: Starting,
  server: McpServer,
  learnt: Json | undefined,
): Promise<Description> {
  const isPrivate = learnt !== undefined && equalJson(learnt, { private: true });
  const { searchPath } = servers;
  return describeStart(server, {
    searchPath,
    home,
    isPrivate,
    describeLine: (text, folder) => describeLineIn(text, { folder, home, searchPath }),
  });
}

function isPrivateConnection({ name }: Capability): boolean {
  return name === 'net.connect.private';
}

/** The worker file defines the start: no edit changes it. */
function exactly(expected: JsonObject): InputSchema {
  return {
    json: { type: 'object' },
    parse: (value) =>
      equalJson(value, expected)
        ? { ok: true, value: expected }
        : { ok: false, problem: 'a server is started as the worker file says' },
  };
}

/** Log and question show everything that the worker file says about the server. */
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
