import { resolve } from 'node:path';
import {
  type Capability,
  type Description,
  defineTool,
  type ExecuteContext,
  equalJson,
  fromHome,
  type InputSchema,
  type Json,
  type JsonObject,
  remembered,
  StartOver,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { describeLineIn, searchPathOf, usualSearchPath } from '@ambit/shell';
import {
  describeStart,
  type McpServer,
  mcpToolset,
  openRoots,
  type Resolve,
  type Resolved,
  type RunningServer,
  resolveSite,
  startServer,
  toolsetNameOf,
} from '@ambit/toolsets';
import type { ActingWorker, Catalogue } from '../catalogue/catalogue.js';
import type { Happening } from '../host/session-event.js';
import type { Journal } from '../journal/journal.js';
import { fingerprintFile, fingerprintStore } from '../trust/mcp-fingerprints.js';
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
      const started = await (of.servers.running(server) ?? startJudged(of, server, context));
      // Another worker may have started it meanwhile under other policies.
      if (started.connection.some(isPrivateConnection)) requirePrivateJudged(context);
      return null;
    },
  });
}

async function startJudged(of: Starting, server: McpServer, context: ExecuteContext): Promise<RunningServer> {
  const { described, learnt, signal } = context;
  const resolved = await of.servers.resolve(server);
  // The addresses of a name are known only now.
  if (resolved?.isPrivate === true) requirePrivateJudged(context);
  const { capabilities } = await describeStarting(of, server, learnt);
  // A link on the way to the program may lead elsewhere now.
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

interface HowToStart {
  readonly resolved: Resolved | null;
  readonly signal: AbortSignal;
}

interface McpSettings {
  readonly root: string;
  readonly home: string;
  /** The part of the state folder that belongs to the working folder. */
  readonly state: string;
  readonly writable: readonly string[];
  readonly resolve?: Resolve;
}

export type McpServers = ReturnType<typeof createMcpServers>;

/** The MCP servers of one run. Each starts once. */
export function createMcpServers({ root, home, state, writable, resolve: names }: McpSettings) {
  const servers = new Map<string, Promise<RunningServer>>();
  const fingerprints = fingerprintStore(state);
  const searchPath = searchPathOf(usualSearchPath, rootsOf(writable));
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    const all = await Promise.allSettled(servers.values());
    await Promise.all(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }

  return {
    searchPath,
    state,
    place: (server: McpServer): McpServer => {
      const { program } = server;
      if (program.transport === 'http') return server;
      const [command, folder] = [fromHome(program.command, home), fromHome(program.folder, home)];
      return { ...server, program: { ...program, command, folder: resolve(root, folder) } };
    },
    /** Null for a program. Asks the network: only after a permit. */
    resolve: async ({ program }: McpServer) =>
      program.transport === 'http' ? resolveSite(program, names) : null,
    running: (server: McpServer) => servers.get(toolsetNameOf(server)),
    /** Rejects after the run's end. */
    start: (server: McpServer, { resolved, signal }: HowToStart): Promise<RunningServer> => {
      if (closing !== null) return Promise.reject(new Error('the run has ended'));
      const name = toolsetNameOf(server);
      return remembered(servers, name, () => {
        const starting = startServer(server, { searchPath, home, resolved, signal, fingerprints });
        // One that did not start may be tried again, by another worker for instance.
        starting.catch(() => servers.delete(name));
        return starting;
      });
    },
    /** Also ends starting servers. None starts afterwards. */
    close: (): Promise<void> => {
      closing ??= close();
      return closing;
    },
  };
}

function rootsOf(folders: readonly string[]) {
  return openRoots(
    [...new Set(folders)].map((folder, index) => ({ name: `root-${index}`, folder, mode: 'rw' })),
  );
}
