import {
  cannot,
  type Description,
  defineTool,
  defineToolset,
  isJsonObject,
  type Json,
  type JsonObject,
  ownMember,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { saidBy } from '../places/said-by.js';
import { toolsetNameOf } from './connection/server-definition.js';
import type { RunningServer } from './running-server.js';
import { type CarriedWorld, carriedCapabilities } from './tools/carried-capabilities.js';
import type { OfferedTool } from './tools/offered-tools.js';
import { quoted, shownDescription } from './tools/shown-text.js';

export function mcpToolset(running: RunningServer, world: Omit<CarriedWorld, 'folder'>): Toolset {
  const { program } = running.server;
  // A remote server has other files.
  const folder = program.transport === 'stdio' ? program.folder : null;
  return defineToolset({
    name: toolsetNameOf(running.server),
    tools: running.tools.map((tool) => toolOf(tool, running, { ...world, folder })),
  });
}

function toolOf(tool: OfferedTool, running: RunningServer, world: CarriedWorld): Tool {
  const { server } = running;
  return defineTool({
    name: tool.name,
    offered_as: tool.shown,
    description: shownDescription(tool.description, server),
    input: tool.schema,
    digest: tool.fingerprint.whole,
    summary: () => (tool.description === '' ? '' : quoted(tool.description, server)),
    describe: (args) => describeCall(tool, args, { running, world }),
    execute: (args, { described, signal }) =>
      running.call(tool, args, {
        described: described.some(({ name }) => name === 'mcp.call.changed') ? 'changed' : 'as first seen',
        signal,
      }),
  });
}

async function describeCall(
  tool: OfferedTool,
  args: JsonObject,
  { running, world }: { readonly running: RunningServer; readonly world: CarriedWorld },
): Promise<Description> {
  const { server } = running;
  const standing = running.standing(tool.name);
  // Hints of a changed definition do not count.
  const hints = server.trusted && standing === 'as first seen' ? hintsIn(tool.annotations) : worstHints;
  const called = standing === 'as first seen' ? 'mcp.call' : 'mcp.call.changed';
  const toolset = toolsetNameOf(server);
  const carried = ownMember(server.carries, tool.name) ?? [];
  const capabilities = saidBy(`toolset:${toolset}`, [
    { name: called, server: toolset, tool: tool.name, ...hints },
    ...running.connection,
    ...(hints.open_world ? [{ name: 'content.untrusted', source: toolset }] : []),
    ...(await carriedCapabilities(carried, args, world)),
  ]);
  if (running.ended !== null) return cannot(running.ended, capabilities);
  if (standing === 'gone') return cannot(`${toolset} no longer lists ${tool.name} as it did`, capabilities);
  return { capabilities };
}

interface Hints {
  readonly read_only: boolean;
  readonly destructive: boolean;
  readonly open_world: boolean;
}

/** The specification's worst case, for missing and for untrusted hints. */
const worstHints: Hints = { read_only: false, destructive: true, open_world: true };

/** The hints of a trusted server. A missing or invalid hint has the worst case. */
export function hintsIn(annotations: Json | undefined): Hints {
  if (!isJsonObject(annotations)) return worstHints;
  const read_only = annotations.readOnlyHint === true;
  return {
    read_only,
    // A tool that changes nothing destroys nothing, unless the server contradicts itself.
    destructive: read_only ? annotations.destructiveHint === true : annotations.destructiveHint !== false,
    open_world: annotations.openWorldHint !== false,
  };
}
