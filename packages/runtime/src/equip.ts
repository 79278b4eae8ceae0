import {
  type CallOutcome,
  forReference,
  type GuardedToolset,
  guard,
  refuseUnknownTool,
  type Toolset,
} from '@ambit/core';
import { filesystemIn, http } from '@ambit/toolsets';
import type { ActingWorker } from './acting-worker.js';
import type { ModelTool } from './conversation.js';
import { delegationToolset, workerToolset } from './delegation.js';
import { startMcpServer } from './mcp-start.js';
import { startModule } from './module-toolset.js';
import type { RunWorld } from './run-world.js';
import { openRootsOf, shellOf } from './shell-of.js';
import type { ToolsetReference, WorkerDefinition } from './worker-definition.js';
import { createStays, type Stays } from './stays.js';
import { referenceLayer } from './worker-layers.js';

/** A worker's tools as its model sees them, every one behind a guard. */
export interface Equipment {
  readonly tools: readonly ModelTool[];
  /** Ends what is the worker's own, once it has ended. */
  readonly leave: () => Promise<void>;
  /** Makes a call by the name that the model used. Never rejects. */
  readonly call: (name: string, args: unknown, signal: AbortSignal) => Promise<CallOutcome>;
}

interface Offered {
  readonly toolset: GuardedToolset;
  readonly tool: string;
  readonly offer: ModelTool;
}

/** Guards the toolsets of a worker that starts. Rejects when one cannot be had, and when two tools have one name; what was entered is left then. */
export async function equip(world: RunWorld, acting: ActingWorker): Promise<Equipment> {
  const stays = createStays();
  try {
    return await equipped(world, { ...acting, stays });
  } catch (error) {
    await stays.leave().catch(() => undefined);
    throw error;
  }
}

/** A worker that starts, and what it enters. */
type StartingWorker = ActingWorker & { readonly stays: Stays };

async function equipped(world: RunWorld, acting: StartingWorker): Promise<Equipment> {
  const tools = new Map<string, Offered>();
  const toolsets = new Map<string, GuardedToolset>();
  for (const reference of acting.worker.toolsets) {
    const toolset = await toolsetFor(world, acting, reference);
    requireKnownApprovals(acting.worker, reference, toolset);
    const added = referenceLayer(acting.worker, reference, toolset.name);
    const guarded = guard(toolset, forReference(acting.authority, added), (name) => toolsets.get(name));
    toolsets.set(guarded.name, guarded);
    for (const { name, tool, fullName, description, input } of guarded.offers) {
      const other = tools.get(name);
      if (other !== undefined) {
        throw new Error(
          `two tools of ${acting.worker.name} are called \`${name}\`: ${other.toolset.name}.${other.tool} and ${fullName}`,
        );
      }
      tools.set(name, { toolset: guarded, tool, offer: { name, description, input } });
    }
  }
  return {
    leave: acting.stays.leave,
    tools: [...tools.values()].map(({ offer }) => offer),
    call: (name, args, signal) => {
      const found = tools.get(name);
      if (found === undefined) return refuseUnknownTool(acting.authority, { tool: name, args });
      return found.toolset.call({ tool: found.tool, args, signal });
    },
  };
}

async function toolsetFor(
  world: RunWorld,
  acting: StartingWorker,
  reference: ToolsetReference,
): Promise<Toolset> {
  if (reference.key === 'filesystem') return filesystemIn(openRootsOf(world, acting));
  if (reference.key === 'shell') return shellOf(world, acting, reference);
  if (reference.key === 'http') return http(reference.configuration);
  if (reference.key === 'delegation') return delegationToolset(world, acting, reference);
  if (reference.server !== undefined) return startMcpServer(world, acting, reference.server);
  const callee = world.workers.get(reference.key);
  if (callee !== undefined) return workerToolset(world, acting, callee);
  return world.shared.get(reference.key) ?? startModule(world, acting, reference);
}

function requireKnownApprovals(
  worker: WorkerDefinition,
  reference: ToolsetReference,
  toolset: Toolset,
): void {
  const names = toolset.tools.map(({ name }) => name);
  const odd = reference.approvals.find(({ tool }) => !names.includes(tool));
  if (odd === undefined) return;
  throw new Error(
    `${odd.at} ${worker.name} speaks of \`${odd.tool}\`, which ${toolset.name} does not have: ${names.join(', ')}`,
  );
}
