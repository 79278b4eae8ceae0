import { type Capability, defineTool, defineToolset, type Toolset } from '@ambit/core';
import { carriedBy, type McpServer, toolsetNameOf } from '@ambit/toolsets';
import * as z from 'zod';

type World = Parameters<typeof carriedBy>[2];

/** The names of the tools for what is not a call of a tool, as the judge knows them. */
export const otherNames = { resource: 'gateway_read_resource', prompt: 'gateway_get_prompt' } as const;

/** Reading a resource and getting a prompt, as tools that policies judge: `gateway.read_resource`, `gateway.get_prompt`. */
export function otherTools(server: McpServer, world: World): Toolset {
  const source = toolsetNameOf(server);
  const untrusted = { name: 'content.untrusted', source };
  const text = z.string().max(10_000);
  return defineToolset({
    name: 'gateway',
    tools: [
      defineTool({
        name: 'read_resource',
        offered_as: otherNames.resource,
        description: 'Reads a resource of an MCP server.',
        input: z.strictObject({ server: text, uri: text }),
        describe: async ({ uri }) => ({
          capabilities: [...(await capabilitiesOf(uri, { source, world })), untrusted],
        }),
        execute: () => null,
      }),
      defineTool({
        name: 'get_prompt',
        offered_as: otherNames.prompt,
        description: 'Gets a prompt of an MCP server.',
        input: z.strictObject({
          server: text,
          prompt: text,
          arguments: z.record(z.string(), z.string()),
        }),
        describe: () => ({ capabilities: [otherCall(source, 'prompts/get'), untrusted] }),
        execute: () => null,
      }),
    ],
  });
}

/** `file:` reads a file and `http:` connects; what else a URI may mean is the server's own affair. */
async function capabilitiesOf(
  uri: string,
  { source, world }: { readonly source: string; readonly world: World },
): Promise<readonly Capability[]> {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  const arg = { arg: ['uri'] } as const;
  const args = { uri: url?.href ?? uri };
  if (url?.protocol === 'file:') return carriedBy([{ name: 'fs.read', facts: { path: arg } }], args, world);
  if (url?.protocol === 'http:' || url?.protocol === 'https:')
    return carriedBy([{ name: 'net.connect', facts: { host: arg } }], args, world);
  return [otherCall(source, 'resources/read')];
}

function otherCall(server: string, tool: string): Capability {
  return { name: 'mcp.call', server, tool, read_only: false, destructive: true, open_world: true };
}
