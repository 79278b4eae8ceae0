import { messageOf, type Toolset } from '@ambit/core';
import type { Isolation } from '@ambit/shell';
import { filesystemIn, http } from '@ambit/toolsets';
import type { ActingWorker } from '../catalogue/acting-worker.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { type Delegating, delegationToolset, workerToolset } from '../delegate/delegation.js';
import type { Journal } from '../journal/journal.js';
import { attributedToolset } from '../toolsets/attributed-toolset.js';
import type { EnteredToolsets } from '../toolsets/entered-toolsets.js';
import { configuredToolset } from '../toolsets/exported-toolset.js';
import type { McpServers } from '../toolsets/mcp-servers.js';
import { startMcpServer } from '../toolsets/mcp-start.js';
import { type LoadedModules, startModule } from '../toolsets/module-toolset.js';
import { providerToolset } from '../toolsets/provider-tools.js';
import { openRootsOf, shellOf } from '../toolsets/shell-of.js';
import type { ToolsetFactory } from '../worker-file/given-toolsets.js';
import { providerToolsIn } from '../worker-file/provider-reference.js';
import type { ToolsetReference } from '../worker-file/worker-definition.js';
import type { Models } from './models.js';

export interface Services {
  readonly models: Models;
  readonly servers: McpServers;
  readonly modules: LoadedModules;
  /** The isolation of shell commands on this machine; null for none. */
  readonly isolation: Isolation | null;
}

export interface Equipping extends Delegating {
  readonly services: Services;
  readonly journal: Journal;
}

export type StartingWorker = ActingWorker & { readonly entered: EnteredToolsets };

/** A reference's toolset, started if necessary. Capabilities without an author get `toolset:NAME`. */
export async function toolsetFor(
  of: Equipping,
  acting: StartingWorker,
  reference: ToolsetReference,
): Promise<Toolset> {
  const toolset = await unattributed(of, acting, reference);
  return attributedToolset(defined(of.catalogue, reference, toolset));
}

async function unattributed(
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
      throw new Error(`\`configure\` of ${name} gave a toolset called \`${toolset.name}\``);
    await entered.enter(toolset);
    return toolset;
  } catch (error) {
    throw new Error(`the toolset ${name} did not start: ${messageOf(error)}`, { cause: error });
  }
}

/** Adds the digest of a module's or worker's file to its tools. */
function defined({ workers }: Catalogue, { key, sha256 }: ToolsetReference, toolset: Toolset): Toolset {
  const digest = sha256 ?? workers.get(key)?.sha256;
  return digest === undefined
    ? toolset
    : { ...toolset, tools: toolset.tools.map((tool) => ({ ...tool, digest })) };
}
