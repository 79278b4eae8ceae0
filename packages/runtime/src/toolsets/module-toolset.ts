import { hash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { readRegular } from '@ambit/audit';
import {
  type Configure,
  defineTool,
  inputSchema,
  type JsonObject,
  jsonText,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { saidBy } from '@ambit/toolsets';
import * as z from 'zod';
import type { ActingWorker, Catalogue } from '../catalogue/catalogue.js';
import type { Journal } from '../journal/journal.js';
import { isReserved } from '../worker-file/given-toolsets.js';
import { requirePlainManifests } from '../worker-file/module-file.js';
import type { ToolsetReference } from '../worker-file/worker-definition.js';
import type { EnteredToolsets } from './entered-toolsets.js';
import { configuredToolset, type ExportedToolset, exportedToolset } from './exported-toolset.js';
import { callStart } from './start-call.js';

interface Loading {
  readonly catalogue: Pick<Catalogue, 'workers' | 'shared' | 'factories'>;
  readonly modules: LoadedModules;
}

/** A module's toolset, loaded once in a run. Each worker's start is the call `toolset.start`. */
export async function startModule(
  of: Loading & { readonly journal: Journal },
  acting: ActingWorker & { readonly entered: EnteredToolsets },
  reference: ToolsetReference,
): Promise<Toolset> {
  const { key, configuration, paths } = reference;
  let toolset: Toolset | null = null;
  const started = (made: Toolset) => {
    toolset = made;
  };
  await callStart(startTool(of, { reference, entered: acting.entered, started }), {
    acting,
    journal: of.journal,
    toolset: key,
    args: { module: key, ...(Object.keys(configuration).length > 0 && { configuration }) },
    hint: (code) => (code === 'blocked' ? '' : `; this rule permits it: ${ruleFor(paths)}`),
  });
  if (toolset === null) throw new Error(`the toolset ${key} did not start`);
  return toolset;
}

/** The rule of a policy that permits to load these files, and no others. */
function ruleFor(paths: readonly string[]): string {
  const list = paths.length === 1 ? jsonText(paths[0] ?? '') : jsonText(paths);
  return `capabilities: { code.load: { decision: pre_approved, match: { path: ${list} } } }`;
}

interface Starting {
  readonly reference: ToolsetReference;
  readonly entered: EnteredToolsets;
  readonly started: (toolset: Toolset) => void;
}

function startTool(of: Loading, { reference, entered, started }: Starting): Tool {
  const { path, paths, sha256 } = reference;
  return defineTool({
    name: 'start',
    description: 'Starts a toolset.',
    input: startInput,
    summary: () =>
      `load the code of \`${reference.key}\` from ${paths.join(', ')}. This rule permits it: ${ruleFor(paths)}`,
    describe: () => ({
      capabilities: saidBy(
        'toolset:toolset',
        paths.map((each) => ({ name: 'code.load', path: each, ...(sha256 !== null && { sha256 }) })),
      ),
    }),
    execute: async () => {
      if (path === null || sha256 === null) throw new Error('the module cannot be found');
      const { modules } = of;
      const loading = modules.loading.then(() => loadOnce(of, { path, sha256 }));
      modules.loading = loading.catch(() => undefined);
      const exported = await loading;
      if (exported.kind === 'shared') requireNoConfiguration(reference);
      const own = { path, reference, entered };
      started(exported.kind === 'shared' ? exported.toolset : await ownToolset(of, exported.configure, own));
      return null;
    },
  });
}

const startInput = inputSchema(
  z.strictObject({
    module: z.string(),
    configuration: z.record(z.string(), z.json()).optional(),
  }) as unknown as z.ZodType<JsonObject>,
);

function requireNoConfiguration({ at, key, configuration }: ToolsetReference): void {
  const keys = Object.keys(configuration).sort();
  if (keys.length === 0) return;
  const listed = keys.map((name) => `\`${name}\``).join(', ');
  throw new Error(`${at} ${key} exports a toolset that is shared, and cannot be configured: ${listed}`);
}

async function ownToolset(
  of: Loading,
  configure: Configure,
  { path, reference, entered }: { path: string } & Pick<Starting, 'reference' | 'entered'>,
): Promise<Toolset> {
  const { modules } = of;
  const toolset = await configuredToolset(configure, reference.configuration, {
    source: reference.key,
    before: modules.made,
  });
  requireOwnName(of, toolset.name, path);
  modules.names.set(toolset.name, path);
  await entered.enter(toolset);
  return toolset;
}

interface Module {
  readonly path: string;
  readonly sha256: string;
}

async function loadOnce(of: Loading, module: Module): Promise<ExportedToolset> {
  const { exported, names } = of.modules;
  const content = await readRegular(module.path);
  // The loaded code is the logged code, although the file may have changed since.
  if (hash('sha256', content) !== module.sha256)
    throw new Error('the module changed after the run had begun');
  const known = exported.get(module.path);
  if (known !== undefined) return known;
  const loaded = await load(module);
  if (loaded.kind === 'shared') {
    requireOwnName(of, loaded.toolset.name, module.path);
    names.set(loaded.toolset.name, module.path);
  }
  exported.set(module.path, loaded);
  return loaded;
}

async function load({ path, sha256 }: Module): Promise<ExportedToolset> {
  requirePlainManifests(path, '/');
  // By its content too: a program that has loaded an earlier version would be given that one again.
  const module = (await import(`${pathToFileURL(path).href}?sha256=${sha256}`)) as Record<string, unknown>;
  return exportedToolset(module);
}

/** Rules and grants know a toolset by its name: there is one of each. */
function requireOwnName({ catalogue, modules }: Loading, name: string, path: string): void {
  const { shared, factories, workers } = catalogue;
  if (isReserved(name)) throw new Error(`its name \`${name}\` is reserved`);
  const module = modules.names.get(name);
  const other =
    (module === path ? undefined : module) ??
    workers.get(name)?.file ??
    (shared.has(name) || factories.has(name) ? 'an instance that the program gives' : undefined);
  if (other === undefined) return;
  throw new Error(`two toolsets or workers are called \`${name}\`: ${other}, and ${path}`);
}

export class LoadedModules {
  /** By the module's path. */
  readonly exported = new Map<string, ExportedToolset>();
  /** The module's path, by the name of its toolset. */
  readonly names = new Map<string, string>();
  readonly made = new WeakSet<Toolset>();
  /** The last pending start: one after another, so that the second of two with one name sees the first. */
  loading: Promise<unknown> = Promise.resolve();
}
