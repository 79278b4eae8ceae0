import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readRegular } from '@ambit/audit';
import {
  defineTool,
  defineToolset,
  forReference,
  guard,
  inputSchema,
  isSimpleName,
  type JsonObject,
  reservedToolsets,
  type Toolset,
} from '@ambit/core';
import { saidBy } from '@ambit/toolsets';
import * as z from 'zod';
import type { ActingWorker } from '../catalogue/acting-worker.js';
import type { RunWorld } from '../catalogue/run-world.js';
import { startedAs } from '../journal/started-as.js';
import type { ToolsetReference } from '../worker-file/worker-definition.js';
import { configuredToolset, type ExportedToolset, exportedToolset } from './exported-toolset.js';
import { requirePlainManifests } from './module-manifests.js';
import type { Stays } from './stays.js';

/**
 * The toolset that a module exports, its code loaded once a run; where it exports `configure`, a fresh one, entered. This is itself a
 * call, `toolset.start`, judged for every worker that refers to it. Rejects when that call is refused, and when there is no toolset.
 */
export async function startModule(
  world: RunWorld,
  acting: ActingWorker & { readonly stays: Stays },
  reference: ToolsetReference,
): Promise<Toolset> {
  let toolset: Toolset | null = null;
  const started = (made: Toolset) => {
    toolset = made;
  };
  const starter = guard(
    starting(world, { reference, stays: acting.stays, started }),
    forReference(acting.authority, { layers: [], grants: [] }),
  );
  const outcome = await starter.call({
    tool: 'start',
    args: { module: reference.key, ...configurationOf(reference) },
    ...startedAs(world.journal, acting.place, reference.key),
  });
  if (outcome.status === 'refused') {
    throw new Error(
      `the toolset ${reference.key} may not start: ${outcome.refusal.code}: ${outcome.refusal.reason}`,
    );
  }
  if (outcome.status === 'failed')
    throw new Error(`the toolset ${reference.key} did not start: ${outcome.error}`);
  if (toolset === null) throw new Error(`the toolset ${reference.key} did not start`);
  return toolset;
}

/** What a person who is asked may want to see. */
function configurationOf({ configuration }: ToolsetReference): JsonObject {
  return Object.keys(configuration).length === 0 ? {} : { configuration };
}

interface Starting {
  readonly reference: ToolsetReference;
  readonly stays: Stays;
  /** Takes the toolset that is there then. */
  readonly started: (toolset: Toolset) => void;
}

function starting(world: RunWorld, { reference, stays, started }: Starting): Toolset {
  const { path, paths, sha256 } = reference;
  return defineToolset({
    name: 'toolset',
    tools: [
      defineTool({
        name: 'start',
        description: 'Starts a toolset.',
        input: startInput,
        describe: () => ({
          capabilities: saidBy(
            'toolset:toolset',
            paths.map((each) => ({ name: 'code.load', path: each })),
          ),
        }),
        execute: async () => {
          if (path === null || sha256 === null) throw new Error('the module cannot be found');
          const { modules } = world;
          const loading = modules.loading.then(() => loadOnce(world, { path, sha256 }));
          modules.loading = loading.catch(() => undefined);
          await loading;
          const toolset = modules.toolsets.get(path);
          if (toolset !== undefined) requireNoConfiguration(reference);
          started(toolset ?? (await ownToolset(world, { path, reference, stays })));
          return null;
        },
      }),
    ],
  });
}

const startInput = inputSchema(
  z.strictObject({
    module: z.string(),
    configuration: z.record(z.string(), z.json()).optional(),
  }) as unknown as z.ZodType<JsonObject>,
);

/** What is shared by all workers is nobody's to configure. */
function requireNoConfiguration({ at, key, configuration }: ToolsetReference): void {
  const keys = Object.keys(configuration).sort();
  if (keys.length === 0) return;
  const listed = keys.map((name) => `\`${name}\``).join(', ');
  throw new Error(`${at} ${key} exports a toolset that is shared, and cannot be configured: ${listed}`);
}

/** A fresh instance, entered. */
async function ownToolset(
  world: RunWorld,
  { path, reference, stays }: { path: string } & Pick<Starting, 'reference' | 'stays'>,
): Promise<Toolset> {
  const { modules } = world;
  const configure = modules.configured.get(path);
  if (configure === undefined) throw new Error('the module was not loaded');
  const toolset = await configuredToolset(configure, reference.configuration, {
    source: reference.key,
    before: modules.made,
  });
  requireOwnName(world, toolset.name, path);
  modules.names.set(toolset.name, path);
  await stays.enter(toolset);
  return toolset;
}

interface Module {
  readonly path: string;
  readonly sha256: string;
}

async function loadOnce(world: RunWorld, module: Module): Promise<void> {
  const { toolsets, configured } = world.modules;
  const content = await readRegular(module.path);
  // What is loaded is what the log says: nobody may have put something else there since.
  if (createHash('sha256').update(content).digest('hex') !== module.sha256)
    throw new Error('the module changed after the run had begun');
  if (toolsets.has(module.path) || configured.has(module.path)) return;
  const exported = await load(module);
  if (exported.kind === 'configured') {
    configured.set(module.path, exported.configure);
    return;
  }
  requireOwnName(world, exported.toolset.name, module.path);
  toolsets.set(module.path, exported.toolset);
}

async function load({ path, sha256 }: Module): Promise<ExportedToolset> {
  requirePlainManifests(path, '/');
  // By its content too: a program that has loaded an earlier version would be given that one again.
  const module = (await import(`${pathToFileURL(path).href}?sha256=${sha256}`)) as Record<string, unknown>;
  return exportedToolset(module);
}

/** Rules and grants know a toolset by its name: there is one of each. */
function requireOwnName({ shared, factories, modules, workers }: RunWorld, name: string, path: string): void {
  if (isReserved(name)) throw new Error(`its name \`${name}\` is reserved`);
  const loaded = [...modules.toolsets].find(([of, toolset]) => of !== path && toolset.name === name)?.[0];
  const configured = modules.names.get(name);
  const worker = workers.get(name);
  const other =
    loaded ??
    (configured === path ? undefined : configured) ??
    worker?.file ??
    (shared.has(name) || factories.has(name) ? 'an instance that the program gives' : undefined);
  if (other === undefined) return;
  throw new Error(`there is another toolset or worker called \`${name}\`: that of ${other}, besides ${path}`);
}

/** Why a module's toolset cannot be called so, or null. */
export function problemWithName(name: string): string | null {
  if (!isSimpleName(name)) return `\`${name}\` is not a toolset name: [a-z][a-z0-9_-]*`;
  return isReserved(name) ? `the name \`${name}\` is reserved` : null;
}

export function isReserved(name: string): boolean {
  return reservedToolsets.includes(name) || name.startsWith('mcp-');
}

/**
 * Where a module is: a path from the worker file's folder, or a package that can be found from there. Null when nowhere;
 * throws where what Node would read to find it, or the module itself, is no regular file.
 */
export function resolveModule(key: string, folder: string): string | null {
  requirePlainManifests(key, folder);
  const path = resolved(key, folder);
  if (path === null || !isAbsolute(path)) return path;
  requirePlainManifests(path, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${path} is not a file`);
  return path;
}

function resolved(key: string, folder: string): string | null {
  try {
    return createRequire(`${folder}/`).resolve(key);
  } catch {
    return null;
  }
}
