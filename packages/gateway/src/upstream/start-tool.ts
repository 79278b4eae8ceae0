import { type Capability, defineTool, defineToolset, type JsonObject, type Toolset } from '@ambit/core';
import { describeLineIn } from '@ambit/shell';
import { describeStart, type McpServer, toolsetNameOf } from '@ambit/toolsets';
import * as z from 'zod';

interface StartWorld {
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** The arguments of `toolset.start`: everything that the command line says about the server. */
export function startArguments(server: McpServer): JsonObject {
  const { program, trusted } = server;
  const toolset = toolsetNameOf(server);
  if (program.transport === 'http') return { toolset, trusted, url: program.url };
  const { command, args, folder, environment } = program;
  // Values may be credentials.
  return { toolset, trusted, command, args: [...args], cwd: folder, env: Object.keys(environment) };
}

/** Starting the server, as a tool that policies judge: `toolset.start`. */
export function startTool(server: McpServer, { home, searchPath }: StartWorld): Toolset {
  const describeLine = (text: string, folder: string): Promise<readonly Capability[]> =>
    describeLineIn(text, { folder, home, searchPath });
  return defineToolset({
    name: 'toolset',
    tools: [
      defineTool({
        name: 'start',
        offered_as: 'toolset_start',
        description: 'Starts a toolset.',
        input: z.record(z.string(), z.json()),
        describe: async () => {
          const { capabilities, ...rest } = await describeStart(hidden(server), {
            home,
            searchPath,
            describeLine,
          });
          return { ...rest, capabilities: capabilities.map(withoutValue) };
        },
        execute: () => null,
      }),
    ],
  });
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
