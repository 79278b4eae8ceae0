import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import {
  defineTool,
  defineToolset,
  forReference,
  guard,
  inputSchema,
  isSimpleName,
  reservedToolsets,
  type Toolset,
} from '@ambit/core';
import * as z from 'zod';
import type { ActingWorker } from './acting-worker.js';
import type { RunWorld } from './run-world.js';
import type { ToolsetReference } from './worker-definition.js';

/**
 * The toolset that a module exports, its code loaded once a run. Loading is itself a call, `toolset.start`, judged for every
 * worker that refers to it. Rejects when that call is refused, and when the module exports no toolset.
 */
export async function startModule(
  world: RunWorld,
  acting: ActingWorker,
  reference: ToolsetReference,
): Promise<Toolset> {
  const starter = guard(
    starting(world, reference),
    forReference(acting.authority, { layers: [], grants: [] }),
  );
  const outcome = await starter.call({ tool: 'start', args: { module: reference.key } });
  if (outcome.status === 'refused') {
    throw new Error(
      `the toolset ${reference.key} may not start: ${outcome.refusal.code}: ${outcome.refusal.reason}`,
    );
  }
  if (outcome.status === 'failed')
    throw new Error(`the toolset ${reference.key} did not start: ${outcome.error}`);
  return world.modules.toolsets.get(reference.path ?? '') as Toolset;
}

function starting(world: RunWorld, { path, paths, sha256 }: ToolsetReference): Toolset {
  return defineToolset({
    name: 'toolset',
    tools: [
      defineTool({
        name: 'start',
        description: 'Starts a toolset.',
        input: inputSchema(z.strictObject({ module: z.string() })),
        describe: () => ({ capabilities: paths.map((each) => ({ name: 'code.load', path: each })) }),
        execute: async () => {
          if (path === null || sha256 === null) throw new Error('the module cannot be found');
          const { modules } = world;
          const loading = modules.loading.then(() => loadOnce(world, { path, sha256 }));
          modules.loading = loading.catch(() => undefined);
          await loading;
          return null;
        },
      }),
    ],
  });
}

interface Module {
  readonly path: string;
  readonly sha256: string;
}

async function loadOnce(world: RunWorld, module: Module): Promise<void> {
  const { toolsets } = world.modules;
  const content = await readFile(module.path);
  // What is loaded is what the log says: nobody may have put something else there since.
  if (createHash('sha256').update(content).digest('hex') !== module.sha256)
    throw new Error('the module changed after the run had begun');
  if (!toolsets.has(module.path)) toolsets.set(module.path, await load(world, module));
}

async function load(world: RunWorld, { path, sha256 }: Module): Promise<Toolset> {
  // By its content too: a program that has loaded an earlier version would be given that one again.
  const module = (await import(`${pathToFileURL(path).href}?sha256=${sha256}`)) as Record<string, unknown>;
  const toolset = module.default ?? module.toolset;
  if (!isToolset(toolset)) throw new Error('it exports no toolset as its default: see defineToolset');
  if (isReserved(toolset.name)) throw new Error(`its name \`${toolset.name}\` is reserved`);
  const others = [...world.shared.values(), ...world.modules.toolsets.values()];
  if (others.some(({ name }) => name === toolset.name) || world.workers.has(toolset.name)) {
    throw new Error(`there is another toolset or worker called \`${toolset.name}\``);
  }
  return toolset;
}

/** Why a module's toolset cannot be called so, or null. */
export function problemWithName(name: string): string | null {
  if (!isSimpleName(name)) return `\`${name}\` is not a toolset name: [a-z][a-z0-9_-]*`;
  return isReserved(name) ? `the name \`${name}\` is reserved` : null;
}

export function isReserved(name: string): boolean {
  return reservedToolsets.includes(name) || name.startsWith('mcp-');
}

/** Where a module is: a path from the worker file's folder, or a package that can be found from there. Null when nowhere. */
export function resolveModule(key: string, folder: string): string | null {
  try {
    return createRequire(`${folder}/`).resolve(key);
  } catch {
    return null;
  }
}

export function isToolset(value: unknown): value is Toolset {
  if (typeof value !== 'object' || value === null || !('tools' in value) || !('name' in value)) return false;
  return typeof value.name === 'string' && isSimpleName(value.name) && Array.isArray(value.tools);
}
