import {
  type Capability,
  type Description,
  defineTool,
  defineToolset,
  equalJson,
  type JsonObject,
  type Toolset,
} from '@ambit/core';
import { describeLineIn } from '@ambit/shell';
import { describeStart, hostCapabilities, type McpServer, toolsetNameOf } from '@ambit/toolsets';
import * as z from 'zod';
import { otherNames } from './other-tools.js';
import { hostIn, type ServerIsolation } from './server-of.js';

/** A server to start, and whether it runs confined. */
export interface Starting {
  readonly server: McpServer;
  readonly isolation: ServerIsolation | null;
}

interface StartWorld {
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** The arguments of `toolset.start`: all properties of the server on the command line. */
export function startArguments({ server, isolation }: Starting): JsonObject {
  const { program, trusted } = server;
  const toolset = toolsetNameOf(server);
  if (program.transport === 'http') return { toolset, trusted, url: program.url };
  const { command, args, folder, environment } = program;
  const { writes = [], network = false, hosts = [] } = isolation ?? {};
  const bounds = { writes: [...writes], network, ...(hosts.length > 0 && { hosts: [...hosts] }) };
  const isolated = isolation === null ? {} : { isolated: bounds };
  // Values may be credentials.
  return {
    toolset,
    trusted,
    command,
    args: [...args],
    cwd: folder,
    env: Object.keys(environment),
    ...isolated,
  };
}

/** The starts of servers as a tool that policies judge: `toolset.start`. */
export function startTool(all: readonly Starting[], world: StartWorld): Toolset {
  return defineToolset({
    name: 'toolset',
    tools: [
      defineTool({
        name: 'start',
        offered_as: otherNames.start,
        description: 'Starts a toolset.',
        input: z.record(z.string(), z.json()),
        describe: (args) => {
          const starting = all.find((each) => equalJson(startArguments(each), args));
          return starting === undefined ? unknownStart : startDescription(starting, world);
        },
        execute: () => null,
      }),
    ],
  });
}

const unknownStart: Description = { capabilities: [], cannot: 'there is no such server' };

/**
 * The effects of starting the server; for a confined server, also everything that it may do while it runs.
 */
export async function startDescription(
  { server, isolation }: Starting,
  { home, searchPath }: StartWorld,
): Promise<Description> {
  const describeLine = (text: string, folder: string): Promise<readonly Capability[]> =>
    describeLineIn(text, { folder, home, searchPath });
  const described = await describeStart(hidden(server), { searchPath, describeLine });
  const { writes = [], network = false, hosts = [] } = isolation ?? {};
  const inside = writes.flatMap((folder) =>
    ['fs.write', 'fs.delete', 'fs.meta'].map((name) => ({
      name,
      path: { paths: [], open: true as const, under: folder },
    })),
  );
  const connections = network ? [{ name: 'net.connect' }, { name: 'net.connect.private' }] : [];
  const sites = hosts.flatMap((text) => {
    const { host = null, port = null } = hostIn(text) ?? {};
    return hostCapabilities(host, port === null ? {} : { port });
  });
  return {
    ...described,
    capabilities: [...described.capabilities.map(withoutValue), ...inside, ...connections, ...sites],
  };
}

/** Values of variables may be credentials, which no log keeps. An unknown value is judged strictly. */
function hidden(server: McpServer): McpServer {
  const { program } = server;
  if (program.transport === 'http') return server;
  const names = Object.keys(program.environment);
  return {
    ...server,
    program: { ...program, environment: Object.fromEntries(names.map((name) => [name, 'hidden'])) },
  };
}

function withoutValue(capability: Capability): Capability {
  const { value: _, ...rest } = capability;
  return capability.name === 'env.set' ? rest : capability;
}
