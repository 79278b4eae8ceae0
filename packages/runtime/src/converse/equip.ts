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
import type { Isolation } from '@ambit/shell';
import { filesystemIn, http } from '@ambit/toolsets';
import type Anthropic from '@anthropic-ai/sdk';
import type { ActingWorker, Catalogue } from '../catalogue/catalogue.js';
import { referenceLayer } from '../catalogue/worker-layers.js';
import { delegationToolset, workerToolset } from '../delegate/delegation.js';
import type { Delegating } from '../delegate/propose-worker.js';
import { type Journal, startedAs } from '../journal/journal.js';
import { keptToolset, settledCall } from '../journal/kept-toolset.js';
import { attributedToolset } from '../toolsets/attributed-toolset.js';
import { EnteredToolsets } from '../toolsets/entered-toolsets.js';
import { configuredToolset } from '../toolsets/exported-toolset.js';
import { type McpServers, startMcpServer } from '../toolsets/mcp-servers.js';
import { type LoadedModules, startModule } from '../toolsets/module-toolset.js';
import { providerToolset } from '../toolsets/provider-tools.js';
import { openRootsOf, shellOf } from '../toolsets/shell-of.js';
import { providerTool, providerToolsIn } from '../worker-file/built-in-references.js';
import type { ToolsetFactory } from '../worker-file/given-toolsets.js';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';
import type { ModelTool } from './model-turn.js';
import type { Models } from './models.js';

interface CallAs {
  readonly id: string;
  readonly signal: AbortSignal;
}

interface Offered {
  /** Whether it runs at the model's provider, so that the model does not call it here. */
  readonly isElsewhere: boolean;
  readonly toolset: GuardedToolset;
  readonly tool: string;
  readonly offer: ModelTool;
}

/** Guards the toolsets of a starting worker. Leaves them all if one is unavailable or two tools share a name. */
export async function equip(of: Equipping, acting: ActingWorker) {
  const entered = new EnteredToolsets();
  try {
    return await guardToolsets(of, { ...acting, entered });
  } catch (error) {
    await entered.leave().catch(() => undefined);
    throw error;
  }
}

async function guardToolsets(of: Equipping, acting: StartingWorker) {
  const tools = new Map<string, Offered>();
  const toolsets = new Map<string, GuardedToolset>();
  // By full name: each worker that is a tool is of a toolset `worker`.
  const owners = new Map<string, GuardedToolset>();
  for (const reference of acting.worker.toolsets) {
    const toolset = await toolsetFor(of, acting, reference);
    const added = referenceLayer(acting.worker, reference, toolset.name);
    const guarded = guard(
      keptToolset(toolset, of.journal, acting.authority.run),
      forReference(acting.authority, added),
      (name, tool) => owners.get(`${name}.${tool}`) ?? toolsets.get(name),
    );
    toolsets.set(guarded.name, guarded);
    for (const { name, tool, fullName, description, input } of guarded.offers) {
      owners.set(fullName, guarded);
      const other = tools.get(name);
      if (other !== undefined)
        throw new Error(
          `two tools of ${acting.worker.name} are called \`${name}\`: ${other.toolset.name}.${other.tool} and ${fullName}`,
        );
      const isElsewhere = reference.key === 'provider';
      tools.set(name, { toolset: guarded, tool, offer: { name, description, input }, isElsewhere });
    }
  }
  return {
    /** Leaves the worker's own toolsets after its end. */
    leave: () => acting.entered.leave(),
    tools: [...tools.values()].filter(({ isElsewhere }) => !isElsewhere).map(({ offer }) => offer),
    /** Calls each provider tool of the worker, and returns those that the next request may offer. Never rejects. */
    providerTools: (signal: AbortSignal) =>
      offeredByProvider(of.journal, acting, { offered: [...tools.values()], signal }),
    /** Makes a call by the name that the model used. Never rejects. */
    call: async (name: string, args: unknown, { id, signal }: CallAs): Promise<CallOutcome> => {
      const past = of.journal.past.calls.get(id);
      if (past === undefined) return make({});
      // Identical calls may be on their way, too: they share their question again.
      const arrived = acting.authority.run.asker.identical.arrive();
      const settled = await settledCall(id, past, acting.authority.run).catch((error: unknown) => {
        arrived();
        throw error;
      });
      // The call itself reports its arrival.
      const outcome = settled ?? make({ interrupted: interruptedCall(past.events, past.isBegun) });
      arrived();
      return outcome;

      async function make(interrupted: Pick<ToolCall, 'interrupted'>) {
        const found = tools.get(name);
        if (found === undefined || found.isElsewhere) {
          const known = [...tools].flatMap(([each, { isElsewhere }]) => (isElsewhere ? [] : [each]));
          return refuseUnknownTool(acting.authority, { tool: name, args, id, known });
        }
        return found.toolset.call({ tool: found.tool, args, signal, id, ...interrupted });
      }
    },
  };
}

/** One by one, because questions come one at a time. A refused tool is not offered. */
async function offeredByProvider(
  journal: Journal,
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

function requireKnownApprovals(
  worker: WorkerDefinition,
  reference: ToolsetReference,
  toolset: Toolset,
): void {
  const names = toolset.tools.map(({ name }) => name);
  const odd = reference.approvals.find(({ tool }) => !names.includes(tool));
  if (odd === undefined) return;
  throw new Error(
    `${odd.at} ${worker.name} names \`${odd.tool}\`, which ${toolset.name} does not have: ${helpFor(odd.tool, names)}`,
  );
}

interface Services {
  readonly models: Models;
  readonly servers: McpServers;
  readonly modules: LoadedModules;
  /** The isolation of shell commands on this machine; null for none. */
  readonly isolation: Isolation | null;
}

export interface Equipping extends Delegating {
  readonly services: Services;
}

type StartingWorker = ActingWorker & { readonly entered: EnteredToolsets };

/** A reference's toolset, started if necessary. Capabilities without an author get `toolset:NAME`. */
async function toolsetFor(
  of: Equipping,
  acting: StartingWorker,
  reference: ToolsetReference,
): Promise<Toolset> {
  const started = await startToolset(of, acting, reference);
  const toolset = attributedToolset(withDigest(of.catalogue, reference, started));
  requireKnownApprovals(acting.worker, reference, toolset);
  return toolset;
}

async function startToolset(
  of: Equipping,
  acting: StartingWorker,
  reference: ToolsetReference,
): Promise<Toolset> {
  const { catalogue, services } = of;
  const { servers, modules, isolation } = services;
  if (reference.key === 'filesystem') return filesystemIn(openRootsOf(catalogue, acting.worker));
  if (reference.key === 'shell')
    return shellOf({ catalogue, confinement: isolation }, acting.worker, reference);
  if (reference.key === 'http') return http(reference.configuration);
  if (reference.key === 'delegation') return delegationToolset(of, acting, reference);
  if (reference.key === 'provider') return providerToolset(providerToolsIn(reference.configuration), acting);
  if (reference.server !== undefined) return startMcpServer({ ...of, servers }, acting, reference.server);
  const callee = catalogue.workers.get(reference.key);
  if (callee !== undefined) return workerToolset(of, acting, callee);
  const factory = catalogue.factories.get(reference.key);
  if (factory !== undefined) return startGiven(modules, factory, { ...reference, entered: acting.entered });
  return catalogue.shared.get(reference.key) ?? startModule({ ...of, modules }, acting, reference);
}

/** The program gave a factory, so nothing must be loaded. */
async function startGiven(
  modules: LoadedModules,
  { name, configure }: ToolsetFactory,
  { configuration, entered }: ToolsetReference & { readonly entered: EnteredToolsets },
): Promise<Toolset> {
  try {
    const toolset = await configuredToolset(configure, configuration, { source: name, before: modules.made });
    if (toolset.name !== name)
      throw new Error(`\`configure\` of ${name} returned a toolset called \`${toolset.name}\``);
    await entered.enter(toolset);
    return toolset;
  } catch (error) {
    throw new Error(`the toolset ${name} did not start: ${messageOf(error)}`, { cause: error });
  }
}

/** Adds the digest of a module's or worker's file to its tools. */
function withDigest({ workers }: Catalogue, { key, sha256 }: ToolsetReference, toolset: Toolset): Toolset {
  const digest = sha256 ?? workers.get(key)?.sha256;
  return digest === undefined
    ? toolset
    : { ...toolset, tools: toolset.tools.map((tool) => ({ ...tool, digest })) };
}
