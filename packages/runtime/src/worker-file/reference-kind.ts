import { hash } from 'node:crypto';
import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { readRegularSync } from '@ambit/audit';
import { builtInToolsets, isSimpleName, messageOf, orNull } from '@ambit/core';
import * as yaml from '@ambit/policy/yaml';
import { builtInReferences, type ReferenceKeys } from './built-in-references.js';
import { isFactory, isReserved } from './given-toolsets.js';
import { serverKeys } from './mcp-reference.js';
import { resolveModule } from './module-file.js';
import type { ToolsetReference } from './worker-definition.js';
import type { WorkerReading } from './worker-reading.js';

export interface ReferenceKind {
  /** Besides `approvals`. */
  readonly keys: ReferenceKeys;
  readonly required?: readonly string[];
  /** Null until it has started. */
  readonly tools: readonly string[] | null;
  readonly module: Pick<ToolsetReference, 'path' | 'paths' | 'sha256'>;
  /** Whether it says which server is started. */
  readonly isServer?: boolean;
  /** Whether the factory itself knows the allowed keys. */
  readonly isConfigured?: boolean;
  /** A shared instance takes no configuration. */
  readonly shared?: string;
}

const noModule = { path: null, paths: [], sha256: null } as const;

export function kindOf(
  { key, keySpan }: yaml.Entry,
  { problems, neighbours }: WorkerReading,
): ReferenceKind | null {
  const { workers, shared, folder } = neighbours;
  if (Object.hasOwn(builtInReferences, key))
    return { ...builtInReferences[key as keyof typeof builtInReferences], module: noModule };
  if (/^mcp-./.test(key) && isSimpleName(key))
    return { keys: serverKeys, tools: null, module: noModule, isServer: true };
  if (workers.includes(key) && !isReserved(key))
    return { keys: {}, tools: [key], module: noModule, shared: 'a worker' };
  const instance = shared.find(({ name }) => name === key);
  if (instance !== undefined && isFactory(instance))
    return { keys: {}, tools: null, module: noModule, isConfigured: true };
  if (instance !== undefined) {
    const tools = instance.tools.map(({ name }) => name);
    return { keys: {}, tools, module: noModule, shared: 'an instance that all workers share' };
  }
  try {
    const path = isReserved(key) ? null : moduleFile(key, folder);
    if (path !== null) return moduleKind(key, path, folder);
  } catch (error) {
    problems.add('UNKNOWN_TOOLSET', keySpan, {
      message: `the module ${yaml.quote(key)} cannot be read: ${yaml.escapeText(messageOf(error))}`,
      help: 'a module and each `package.json` that leads to it are regular files',
    });
    return null;
  }
  problems.add(
    'UNKNOWN_TOOLSET',
    keySpan,
    unknownToolset(key, [...workers, ...shared.map(({ name }) => name)]),
  );
  return null;
}

function unknownToolset(key: string, others: readonly string[]): { message: string; help: string } {
  if (key.startsWith('mcp-'))
    return {
      message: `${yaml.quote(key)} is not the name of an MCP server`,
      help: '`mcp-` and a key of lower-case letters, digits, `_` and `-`: `mcp-files`',
    };
  if (key.startsWith('provider.'))
    return {
      message: `${yaml.quote(key)} would run at the model’s provider, where nothing can guard it, so it is off`,
      help: `a toolset that runs here: ${yaml.oneOf(builtInToolsets)}; or, if a policy mentions it, \`provider: { tools: [${key.slice('provider.'.length)}] }\``,
    };
  if (isReserved(key))
    return {
      message: `${yaml.quote(key)} is reserved: a worker cannot use it`,
      help: yaml.oneOf(builtInToolsets),
    };
  if (!isSimpleName(key))
    return {
      message: `there is no module ${yaml.quote(key)}`,
      help: 'a path is relative to the folder of this file',
    };
  const near = yaml.nearest(key, [...builtInToolsets, ...others]);
  const known = `${builtInToolsets.join(', ')}, a worker of this folder${others.length === 0 ? '' : ` (${others.slice(0, 8).join(', ')})`}, or a module`;
  return {
    message: `there is no toolset, worker or module ${yaml.quote(key)}`,
    help: near === null ? known : `did you mean \`${near}\`? ${known}`,
  };
}

/** The file of the module; null for a part of Node, or an unreadable one. */
function moduleFile(key: string, folder: string): string | null {
  const path = resolveModule(key, folder);
  if (path === null || !isAbsolute(path)) return null;
  return orNull(() => {
    accessSync(path, constants.R_OK);
    return path;
  });
}

function moduleKind(key: string, path: string, folder: string): ReferenceKind {
  const module = moduleAt(key, path, folder);
  return isPlainlyShared(readRegularSync(path).toString())
    ? { keys: {}, tools: null, module, shared: 'a module whose toolset all workers share' }
    : { keys: {}, tools: null, module, isConfigured: true };
}

function moduleAt(key: string, path: string, folder: string): ReferenceKind['module'] {
  const named = isAbsolute(key) ? key : key.startsWith('.') ? resolve(folder, key) : path;
  const real = realpathSync(path);
  return { path: real, paths: [...new Set([named, real])], sha256: hash('sha256', readRegularSync(real)) };
}

/** Whether a module's text shows, without running it, that it exports a plain toolset. */
function isPlainlyShared(text: string): boolean {
  if (/\bconfigure\b|\bexport\s*\*/.test(text)) return false;
  return /\bexport\s+(default\s|const\s+toolset\s*=)\s*(\{|defineToolset\s*\()/.test(text);
}
