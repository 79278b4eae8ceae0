import {
  type CallOutcome,
  forReference,
  type GuardedToolset,
  guard,
  interruptedCall,
  messageOf,
  refuseUnknownTool,
  type ToolCall,
  type Toolset,
} from '@ambit/core';
import { helpFor } from '@ambit/policy/yaml';
import { filesystemIn, http } from '@ambit/toolsets';
import type Anthropic from '@anthropic-ai/sdk';
import type { ActingWorker } from '../catalogue/acting-worker.js';
import type { RunWorld } from '../catalogue/run-world.js';
import { referenceLayer } from '../catalogue/worker-layers.js';
import { delegationToolset, workerToolset } from '../delegate/delegation.js';
import { keptToolset } from '../journal/kept-toolset.js';
import { settledCall } from '../journal/settled-call.js';
import { startedAs } from '../journal/started-as.js';
import { attributedToolset } from '../toolsets/attributed-toolset.js';
import { configuredToolset } from '../toolsets/exported-toolset.js';
import { startMcpServer } from '../toolsets/mcp-start.js';
import { startModule } from '../toolsets/module-toolset.js';
import { providerTool, providerToolset, providerToolsIn } from '../toolsets/provider-tools.js';
import { openRootsOf, shellOf } from '../toolsets/shell-of.js';
import { createStays, type Stays } from '../toolsets/stays.js';
import type { ToolsetFactory } from '../worker-file/given-toolsets.js';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';
import type { ModelTool } from './conversation.js';

/** A worker's tools as its model sees them, every one behind a guard. */
export interface Equipment {
  readonly tools: readonly ModelTool[];
  /** Makes a call for each tool of the model's provider that the worker names, and gives those that may be offered in the next request. Never rejects. */
  readonly providerTools: (signal: AbortSignal) => Promise<readonly Anthropic.ToolUnion[]>;
  /** Ends what is the worker's own, once it has ended. */
  readonly leave: () => Promise<void>;
  /** Makes a call by the name that the model used. Never rejects. */
  readonly call: (
    name: string,
    args: unknown,
    as: { readonly id: string; readonly signal: AbortSignal },
  ) => Promise<CallOutcome>;
}

interface Offered {
  /** Whether it runs at the model's provider, so that the model does not call it here. */
  readonly isElsewhere: boolean;
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
  // By full name: each worker that is a tool is of a toolset `worker`.
  const owners = new Map<string, GuardedToolset>();
  for (const reference of acting.worker.toolsets) {
    const toolset = defined(world, reference, await toolsetFor(world, acting, reference));
    requireKnownApprovals(acting.worker, reference, toolset);
    const added = referenceLayer(acting.worker, reference, toolset.name);
    const guarded = guard(
      keptToolset(attributedToolset(toolset), world.journal, acting.authority.run),
      forReference(acting.authority, added),
      (name, tool) => owners.get(`${name}.${tool}`) ?? toolsets.get(name),
    );
    toolsets.set(guarded.name, guarded);
    for (const { name, tool, fullName, description, input } of guarded.offers) {
      owners.set(fullName, guarded);
      const other = tools.get(name);
      if (other !== undefined) {
        throw new Error(
          `two tools of ${acting.worker.name} are called \`${name}\`: ${other.toolset.name}.${other.tool} and ${fullName}`,
        );
      }
      const isElsewhere = reference.key === 'provider';
      tools.set(name, { toolset: guarded, tool, offer: { name, description, input }, isElsewhere });
    }
  }
  return {
    leave: () => acting.stays.leave(),
    tools: [...tools.values()].filter(({ isElsewhere }) => !isElsewhere).map(({ offer }) => offer),
    providerTools: (signal) => offeredByProvider(world, acting, { offered: [...tools.values()], signal }),
    call: async (name, args, { id, signal }) => {
      const past = world.journal.past.calls.get(id);
      if (past === undefined) return make({});
      // Its like may be on their way, too: they meet as they met before.
      const arrived = acting.authority.run.arrivals.enter();
      const settled = await settledCall(id, past, acting.authority.run).catch((error: unknown) => {
        arrived();
        throw error;
      });
      // The call has arrived by itself once it is made.
      const outcome = settled ?? make({ interrupted: interruptedCall(past.events, past.isBegun) });
      arrived();
      return outcome;

      async function make(interrupted: Pick<ToolCall, 'interrupted'>) {
        const found = tools.get(name);
        if (found === undefined || found.isElsewhere)
          return refuseUnknownTool(acting.authority, { tool: name, args, id });
        return found.toolset.call({ tool: found.tool, args, signal, id, ...interrupted });
      }
    },
  };
}

/** With what its tools are defined by besides what they say: a module's file, a worker's. */
function defined({ workers }: RunWorld, { key, sha256 }: ToolsetReference, toolset: Toolset): Toolset {
  const digest = sha256 ?? workers.get(key)?.sha256;
  return digest === undefined
    ? toolset
    : { ...toolset, tools: toolset.tools.map((tool) => ({ ...tool, digest })) };
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
  if (reference.key === 'provider') return providerToolset(providerToolsIn(reference.configuration), acting);
  if (reference.server !== undefined) return startMcpServer(world, acting, reference.server);
  const callee = world.workers.get(reference.key);
  if (callee !== undefined) return workerToolset(world, acting, callee);
  const factory = world.factories.get(reference.key);
  if (factory !== undefined) return startGiven(world, factory, { ...reference, stays: acting.stays });
  return world.shared.get(reference.key) ?? startModule(world, acting, reference);
}

/** One after another: a person who is asked is asked about one. What is refused is not offered, and the request is made without it. */
async function offeredByProvider(
  { journal }: RunWorld,
  { model, place }: ActingWorker,
  { offered, signal }: { readonly offered: readonly Offered[]; readonly signal: AbortSignal },
): Promise<readonly Anthropic.ToolUnion[]> {
  const permitted: Anthropic.ToolUnion[] = [];
  for (const { toolset, tool, isElsewhere } of offered) {
    const definition = isElsewhere ? providerTool(tool) : null;
    if (definition === null) continue;
    // An answer that was given while the run was parked is for this request.
    const as = startedAs(journal, place, `provider.${tool}`);
    const outcome = await toolset.call({ tool, args: { model }, signal, ...as });
    if (outcome.status === 'completed') permitted.push(definition);
  }
  return permitted;
}

/** The program gave what makes it, so that there is nothing to load. */
async function startGiven(
  { modules }: RunWorld,
  { name, configure }: ToolsetFactory,
  { configuration, stays }: ToolsetReference & { readonly stays: Stays },
): Promise<Toolset> {
  try {
    const toolset = await configuredToolset(configure, configuration, { source: name, before: modules.made });
    if (toolset.name !== name)
      throw new Error(`\`configure\` of ${name} gave a toolset called \`${toolset.name}\``);
    await stays.enter(toolset);
    return toolset;
  } catch (error) {
    throw new Error(`the toolset ${name} did not start: ${messageOf(error)}`, { cause: error });
  }
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
    `${odd.at} ${worker.name} speaks of \`${odd.tool}\`, which ${toolset.name} does not have: ${helpFor(odd.tool, names)}`,
  );
}
