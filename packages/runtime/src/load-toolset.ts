import { pathToFileURL } from 'node:url';
import type { Toolset } from '@ambit/core';
import { configuredToolset, exportedToolset } from './exported-toolset.js';
import { resolveModule } from './module-toolset.js';

/** A module, its code loaded into this program: for looking at it. */
export interface LoadedToolset {
  readonly toolset: Toolset;
  /** The file, absolute. */
  readonly path: string;
  /** What else the module exports. */
  readonly exported: Readonly<Record<string, unknown>>;
}

/**
 * The toolset that a module exports as its default. `key` is a path from the folder, or a package that can be found from there.
 * Rejects, in words for a person, where there is none.
 */
export async function loadToolset(key: string, folder: string): Promise<LoadedToolset> {
  const path = resolveModule(key, folder);
  if (path === null) throw new Error(`the module ${key} cannot be found`);
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const toolset = await toolsetIn(module, key);
  const { capabilities } = toolset as { readonly capabilities: unknown };
  // Only `defineToolset` makes sure of them, and a module need not have used it.
  if (!Array.isArray(capabilities) || !capabilities.every(isDefinition))
    throw new Error(`${key} exports a toolset whose capabilities are not defined: see defineCapability`);
  return { toolset, path, exported: module };
}

/** Of a configured one, an instance without any configuration, which is not entered. */
async function toolsetIn(module: Readonly<Record<string, unknown>>, key: string): Promise<Toolset> {
  const exported = exportedToolset(module, key);
  return exported.kind === 'shared' ? exported.toolset : configuredToolset(exported.configure, {}, key);
}

function isDefinition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('facts' in value)) return false;
  return typeof value.name === 'string' && typeof value.facts === 'object' && value.facts !== null;
}
