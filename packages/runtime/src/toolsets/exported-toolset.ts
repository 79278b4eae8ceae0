import { pathToFileURL } from 'node:url';
import {
  type Configure,
  type ConfiguredToolset,
  frozenCopy,
  isJsonObject,
  isObject,
  isSimpleName,
  type JsonObject,
  type Toolset,
} from '@ambit/core';
import { resolveModule } from '../worker-file/module-file.js';

/** A shared instance, or a factory for each worker call. */
export type ExportedToolset =
  | { readonly kind: 'shared'; readonly toolset: Toolset }
  | { readonly kind: 'configured'; readonly configure: Configure };

/** Throws, in words for a person, where a module exports no toolset, or two. */
export function exportedToolset(module: Readonly<Record<string, unknown>>, source = 'it'): ExportedToolset {
  const main = module.default ?? module.toolset;
  const configure = typeof main === 'function' ? main : module.configure;
  if (configure === undefined) {
    if (!isToolset(main)) throw new Error(`${source} exports no toolset as its default: see defineToolset`);
    return { kind: 'shared', toolset: main };
  }
  if (typeof configure !== 'function')
    throw new Error(`${source} exports a \`configure\` that is not a function`);
  if (main !== undefined && main !== configure)
    throw new Error(`${source} exports a toolset and \`configure\`: export one of them`);
  return { kind: 'configured', configure: configure as Configure };
}

/** Rejects if the configuration is refused, or the result is invalid or not new. */
export async function configuredToolset(
  configure: Configure,
  configuration: JsonObject,
  { source, before }: { readonly source: string; readonly before: WeakSet<Toolset> },
): Promise<ConfiguredToolset> {
  const made: unknown = await configure(frozenCopy<JsonObject>(configuration));
  if (!isToolset(made))
    throw new Error(`\`configure\` of ${source} returned ${kindOf(made)}, not a toolset: see defineToolset`);
  const given = made as Partial<Readonly<Record<'enter' | 'exit', unknown>>>;
  for (const name of ['enter', 'exit'] as const)
    if (given[name] !== undefined && typeof given[name] !== 'function')
      throw new Error(
        `\`${name}\` of the toolset that \`configure\` of ${source} returned is not a function`,
      );
  if (before.has(made))
    throw new Error(
      `\`configure\` of ${source} returned an instance that it had returned before: each worker call needs a new one`,
    );
  before.add(made);
  return made;
}

function isToolset(value: unknown): value is Toolset {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  return isSimpleName(value.name) && Array.isArray(value.tools);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object')
    return 'tools' in value ? 'something without a name of a toolset' : 'an object without tools';
  return (
    { string: 'a text', number: 'a number', boolean: 'a boolean' }[typeof value as string] ??
    `a ${typeof value}`
  );
}

/** The default toolset of a module: a path from the folder, or a package; otherwise the error has the code `NO_MODULE`. */
export async function loadToolset(key: string, folder: string) {
  const path = resolveModule(key, folder);
  if (path === null)
    throw Object.assign(new Error(`the module ${key} cannot be found`), { code: 'NO_MODULE' });
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const exported = exportedToolset(module, key);
  const toolset = await toolsetOf(exported, module, key);
  const { capabilities } = toolset as { readonly capabilities: unknown };
  // A module may export a toolset without `defineToolset`, which checks this.
  if (!Array.isArray(capabilities) || !capabilities.every(isDefinition))
    throw new Error(`${key} exports a toolset whose capabilities are not defined: see defineCapability`);
  const odd = toolset.tools.find(({ input }) => typeof (input as Partial<typeof input>).parse !== 'function');
  if (odd !== undefined)
    throw new Error(`${key}: the \`input\` of \`${odd.name}\` checks no arguments: see defineTool`);
  // A configured one is new, and must be entered before it executes anything.
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
  if (!isObject(value) || typeof value.name !== 'string') return false;
  return typeof value.facts === 'object' && value.facts !== null;
}
