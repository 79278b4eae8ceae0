import { pathToFileURL } from 'node:url';
import { isJsonObject, type Toolset } from '@ambit/core';
import { resolveModule } from '../worker-file/module-file.js';
import { configuredToolset, type ExportedToolset, exportedToolset } from './exported-toolset.js';

export interface LoadedToolset {
  readonly toolset: Toolset;
  /** Whether this instance is new, and must be entered before it executes anything. */
  readonly isConfigured: boolean;
  /** Absolute. */
  readonly path: string;
  readonly exported: Readonly<Record<string, unknown>>;
}

/** The default toolset of a module: a path from the folder, or a package. */
export async function loadToolset(key: string, folder: string): Promise<LoadedToolset> {
  const path = resolveModule(key, folder);
  if (path === null) throw new Error(`the module ${key} cannot be found`);
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const exported = exportedToolset(module, key);
  const toolset = await toolsetOf(exported, module, key);
  const { capabilities } = toolset as { readonly capabilities: unknown };
  // A module may export a toolset without `defineToolset`, which checks this.
  if (!Array.isArray(capabilities) || !capabilities.every(isDefinition))
    throw new Error(`${key} exports a toolset whose capabilities are not defined: see defineCapability`);
  return { toolset, isConfigured: exported.kind === 'configured', path, exported: module };
}

/** A configured toolset uses its `exampleConfiguration`; it is not entered. */
async function toolsetOf(
  exported: ExportedToolset,
  module: Readonly<Record<string, unknown>>,
  key: string,
): Promise<Toolset> {
  if (exported.kind === 'shared') return exported.toolset;
  const { exampleConfiguration: example = {} } = module;
  if (!isJsonObject(example))
    throw new Error(`${key} exports an \`exampleConfiguration\` that is not an object of plain data`);
  return configuredToolset(exported.configure, example, { source: key, before: new WeakSet() });
}

function isDefinition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('facts' in value)) return false;
  return typeof value.name === 'string' && typeof value.facts === 'object' && value.facts !== null;
}
