import { pathToFileURL } from 'node:url';
import { isJsonObject, type Toolset } from '@ambit/core';
import { resolveModule } from '../worker-file/module-file.js';
import { configuredToolset, type ExportedToolset, exportedToolset } from './exported-toolset.js';

/** A module, its code loaded into this program: for looking at it. */
export interface LoadedToolset {
  readonly toolset: Toolset;
  /** Whether it was made for this look, and not for all workers: then it is to be entered before it executes anything. */
  readonly isConfigured: boolean;
  /** The file, absolute. */
  readonly path: string;
  /** The other exports of the module. */
  readonly exported: Readonly<Record<string, unknown>>;
}

/**
 * The default toolset of a module. `key` is a path from the folder, or a package that resolves from there.
 * Rejects with words for a person if there is none.
 */
export async function loadToolset(key: string, folder: string): Promise<LoadedToolset> {
  const path = resolveModule(key, folder);
  if (path === null) throw new Error(`the module ${key} cannot be found`);
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const exported = exportedToolset(module, key);
  const toolset = await toolsetOf(exported, module, key);
  const { capabilities } = toolset as { readonly capabilities: unknown };
  // Only `defineToolset` makes sure of them, and a module need not have used it.
  if (!Array.isArray(capabilities) || !capabilities.every(isDefinition))
    throw new Error(`${key} exports a toolset whose capabilities are not defined: see defineCapability`);
  return { toolset, isConfigured: exported.kind === 'configured', path, exported: module };
}

/** Of a configured one, an instance for its `exampleConfiguration`, or without any; it is not entered. */
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
