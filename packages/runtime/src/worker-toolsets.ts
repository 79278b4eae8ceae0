import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { type Decision, decisions, isSimpleName, type JsonObject, type Toolset } from '@ambit/core';
import {
  type Entry,
  expectKind,
  expectKindOrEmpty,
  helpFor,
  type MapNode,
  nearest,
  oneOf,
  quote,
  readBoolean,
  readKeys,
  readWord,
  reportMissing,
  toJson,
} from '@ambit/policy/yaml';
import { filesystemIn, openRoots } from '@ambit/toolsets';
import { isFactory } from './given-toolsets.js';
import { checkHttpReference, httpKeys } from './http-reference.js';
import { mcpKeys, readMcpServer } from './mcp-reference.js';
import { isReserved, resolveModule } from './module-toolset.js';
import { checkProviderReference } from './provider-reference.js';
import { providerTools } from './provider-tools.js';
import { checkShellReference, shellKeys } from './shell-reference.js';
import type { ReferenceApproval, ToolsetReference } from './worker-definition.js';
import type { WorkerReading } from './worker-reading.js';

export interface ReadToolsets {
  readonly references: readonly ToolsetReference[];
  /** The workers that are called, by whichever way. */
  readonly callees: readonly string[];
}

/** What a reference to a toolset may say, and what the toolset offers. */
interface Kind {
  /** Of its configuration, besides `approvals`. */
  readonly keys: readonly string[];
  /** Keys that may be left out, and what looks at their values. */
  readonly options?: { readonly keys: readonly string[]; readonly check: typeof checkHttpReference };
  /** The names of its tools; null where they are known when it has started. */
  readonly tools: readonly string[] | null;
  readonly module: Pick<ToolsetReference, 'path' | 'paths' | 'sha256'>;
  /** Whether it says which server is started. */
  readonly isServer?: boolean;
  /** Whether what comes of its configuration knows which keys there are: nobody else does. */
  readonly isConfigured?: boolean;
  /** What it is that everybody shares, so that nobody configures it. */
  readonly shared?: string;
}

const noModule = { path: null, paths: [], sha256: null } as const;

export function readToolsets(entry: Entry | undefined, reading: WorkerReading): ReadToolsets {
  const map = entry === undefined ? undefined : expectKindOrEmpty(entry.value, ['map'], reading);
  const entries = map?.entries ?? [];
  const callees = entries.flatMap((reference) => calleesOf(reference, reading));
  const references = entries.flatMap((reference) => {
    const kind = kindOf(reference, reading);
    return kind === null ? [] : [readReference(reference, kind, reading)];
  });
  return { references, callees };
}

/** The built-in toolsets that a worker may use. */
export const builtInToolsets: readonly string[] = ['filesystem', 'shell', 'http', 'delegation'];

function kindOf({ key, keySpan }: Entry, { problems, neighbours }: WorkerReading): Kind | null {
  const { workers, shared, folder } = neighbours;
  if (key === 'filesystem') return { keys: [], tools: filesystemTools(), module: noModule };
  if (key === 'delegation') {
    // Nobody is allowed where it is left out; who is allowed is looked at with the callees.
    const options = { keys: ['allow_workers'], check: () => undefined };
    return { keys: [], options, tools: ['worker_call', 'worker_create'], module: noModule };
  }
  if (key === 'http') {
    const options = { keys: httpKeys, check: checkHttpReference };
    return { keys: [], options, tools: ['fetch'], module: noModule };
  }
  if (key === 'shell') {
    const options = { keys: shellKeys, check: checkShellReference };
    return { keys: [], options, tools: ['run'], module: noModule };
  }
  if (key === 'provider') {
    const options = { keys: [], check: checkProviderReference };
    return { keys: ['tools'], options, tools: providerTools, module: noModule };
  }
  if (/^mcp-./.test(key) && isSimpleName(key))
    return { keys: mcpKeys, tools: null, module: noModule, isServer: true };
  if (workers.includes(key) && !isReserved(key))
    return { keys: [], tools: [key], module: noModule, shared: 'a worker' };
  const instance = shared.find(({ name }) => name === key);
  if (instance !== undefined && isFactory(instance))
    return { keys: [], tools: null, module: noModule, isConfigured: true };
  if (instance !== undefined) {
    const tools = instance.tools.map(({ name }) => name);
    return { keys: [], tools, module: noModule, shared: 'an instance that all workers share' };
  }
  const path = isReserved(key) ? null : moduleFile(key, folder);
  if (path !== null) {
    const module = moduleAt(key, path, folder);
    return isPlainlyShared(readFileSync(path, 'utf8'))
      ? { keys: [], tools: null, module, shared: 'a module whose toolset all workers share' }
      : { keys: [], tools: null, module, isConfigured: true };
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
      message: `${quote(key)} is not the name of an MCP server`,
      help: '`mcp-` and a key of lower-case letters, digits, `_` and `-`: `mcp-files`',
    };
  if (key.startsWith('provider.'))
    return {
      message: `${quote(key)} would run at the model’s provider, where nothing can guard it, so it is off`,
      help: `a toolset that runs here: ${oneOf(builtInToolsets)}; or, where a policy speaks about it, \`provider: { tools: [${key.slice('provider.'.length)}] }\``,
    };
  if (isReserved(key))
    return {
      message: `${quote(key)} is reserved, and nothing that a worker can use`,
      help: oneOf(builtInToolsets),
    };
  if (!isSimpleName(key))
    return {
      message: `there is no module ${quote(key)}`,
      help: 'a path is relative to the folder of this file',
    };
  const near = nearest(key, [...builtInToolsets, ...others]);
  const known = `${builtInToolsets.join(', ')}, a worker of this folder${others.length === 0 ? '' : ` (${others.slice(0, 8).join(', ')})`}, or a module`;
  return {
    message: `there is no toolset, worker or module ${quote(key)}`,
    help: near === null ? known : `did you mean \`${near}\`? ${known}`,
  };
}

/** Where the module's file is; null for what is part of Node, and for what cannot be read to its end. */
function moduleFile(key: string, folder: string): string | null {
  const path = resolveModule(key, folder);
  if (path === null || !isAbsolute(path)) return null;
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}

function moduleAt(key: string, path: string, folder: string): Kind['module'] {
  const named = isAbsolute(key) ? key : key.startsWith('.') ? resolve(folder, key) : path;
  const real = realpathSync(path);
  return { path: real, paths: [...new Set([named, real])], sha256: digestOf(readFileSync(real)) };
}

/**
 * Whether a module's text shows, without running it, that it exports a toolset and nothing that makes one: so that a slip is found before
 * anything runs. Where it does not show, what the module exports is looked at once it may be loaded.
 */
function isPlainlyShared(text: string): boolean {
  if (/\bconfigure\b|\bexport\s*\*/.test(text)) return false;
  return /\bexport\s+(default\s|const\s+toolset\s*=)\s*(\{|defineToolset\s*\()/.test(text);
}

function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

let knownFilesystemTools: readonly string[] | null = null;

function filesystemTools(): readonly string[] {
  knownFilesystemTools ??= filesystemIn(openRoots([], { home: '/' })).tools.map(
    ({ name }: Toolset['tools'][number]) => name,
  );
  return knownFilesystemTools;
}

function readReference({ key, keySpan, value }: Entry, kind: Kind, reading: WorkerReading): ToolsetReference {
  const { line, column } = reading.source.lines.placeOf(keySpan.start);
  const map = expectKindOrEmpty(value, ['map'], reading);
  const own = [...kind.keys, ...(kind.options?.keys ?? [])];
  const known = [...own, ...approvalKeys];
  const entries: Readonly<Record<string, Entry | undefined>> =
    map === undefined ? {} : readReferenceKeys({ key, map }, kind, { known, reading });
  if (map !== undefined && kind.isServer !== true)
    for (const name of kind.keys)
      if (entries[name] === undefined) reportMissing(name, map, { reading, help: `\`${name}: […]\`` });
  kind.options?.check(entries, reading);
  const configuration: JsonObject = Object.fromEntries(
    (kind.isConfigured === true ? configuredKeys(map) : own).flatMap((name) => {
      const entry = entries[name];
      return entry === undefined ? [] : [[name, toJson(entry.value)]];
    }),
  );
  const server =
    map !== undefined && kind.isServer === true ? readMcpServer({ key, map }, entries, reading) : null;
  return {
    key,
    ...kind.module,
    ...(server === null ? {} : { server, sha256: digestOf(JSON.stringify(server)) }),
    configuration,
    approvals: readApprovals(entries, kind.tools, reading),
    at: `${reading.source.name}:${line}:${column}`,
  };
}

const approvalKeys = ['approvals', '_approval_config'];

function configuredKeys(map: MapNode | undefined): readonly string[] {
  return (map?.entries ?? []).map(({ key }) => key).filter((key) => !approvalKeys.includes(key));
}

/** As keys are read everywhere, but `_approval_config` is no name that anybody should be led to. */
function readReferenceKeys(
  { key, map }: { readonly key: string; readonly map: MapNode },
  kind: Kind,
  { known, reading }: { readonly known: readonly string[]; readonly reading: WorkerReading },
): Readonly<Record<string, Entry | undefined>> {
  const entries = map.entries.filter((entry) => known.includes(entry.key));
  const others = map.entries.filter((entry) => !entries.includes(entry));
  const all = Object.fromEntries(entries.map((entry) => [entry.key, entry]));
  const [first] = others;
  if (first === undefined) return all;
  const slip = others.find((entry) => nearest(entry.key, approvalKeys) !== null);
  if (kind.isConfigured === true && slip === undefined)
    return { ...all, ...Object.fromEntries(others.map((entry) => [entry.key, entry])) };
  if (kind.shared === undefined) {
    readKeys(
      { ...map, entries: slip !== undefined && kind.isConfigured ? [slip] : others },
      known.slice(0, -1),
      reading,
    );
    return all;
  }
  const keys = others.map((entry) => quote(entry.key)).sort();
  reading.problems.add('UNKNOWN_KEY', first.keySpan, {
    message: `${quote(key)} is ${kind.shared}, and cannot be configured here: ${keys.join(', ')}`,
    help:
      slip === undefined
        ? 'a reference to it takes `approvals` and nothing else'
        : 'did you mean `approvals`?',
  });
  return all;
}

function readApprovals(
  { approvals, _approval_config: older }: Readonly<Record<string, Entry | undefined>>,
  tools: readonly string[] | null,
  reading: WorkerReading,
): readonly ReferenceApproval[] {
  if (approvals !== undefined && older !== undefined) {
    reading.problems.add('MISPLACED_KEY', older.keySpan, {
      message: '`_approval_config` says what `approvals` says',
      help: 'put it all under `approvals`',
    });
  }
  const section = approvals ?? older;
  const map = section === undefined ? undefined : expectKindOrEmpty(section.value, ['map'], reading);
  return (map?.entries ?? []).flatMap((entry) => {
    if (tools !== null && !tools.includes(entry.key)) {
      reading.problems.add('UNKNOWN_TOOL', entry.keySpan, {
        message: `there is no tool ${quote(entry.key)} here`,
        help: helpFor(entry.key, tools),
      });
    }
    const decision = section === approvals ? readDecision(entry, reading) : readOlderDecision(entry, reading);
    const { line, column } = reading.source.lines.placeOf(entry.keySpan.start);
    const at = `${reading.source.name}:${line}:${column}`;
    return decision === undefined ? [] : [{ tool: entry.key, decision, at }];
  });
}

function readDecision({ value }: Entry, reading: WorkerReading): Decision | undefined {
  return readWord(value, decisions, { reading, code: 'UNKNOWN_DECISION', what: 'a decision' });
}

/** `{pre_approved: true}`, an older spelling that is read here and never written. */
function readOlderDecision({ value }: Entry, reading: WorkerReading): Decision | undefined {
  const map = expectKind(value, ['map'], reading);
  if (map === undefined) return undefined;
  const isPreApproved = readBoolean(readKeys(map, ['pre_approved'], reading).pre_approved, reading);
  if (isPreApproved === undefined) return undefined;
  return isPreApproved ? 'pre_approved' : 'needs_approval';
}

/** The workers that a reference leads to: its key, or those that `delegation` may call. */
function calleesOf({ key, value }: Entry, reading: WorkerReading): readonly string[] {
  const { workers } = reading.neighbours;
  if (key !== 'delegation') return workers.includes(key) && !isReserved(key) ? [key] : [];
  const allowed =
    value.kind === 'map' ? value.entries.find((entry) => entry.key === 'allow_workers') : undefined;
  const items =
    allowed === undefined ? [] : (expectKindOrEmpty(allowed.value, ['list'], reading)?.items ?? []);
  return items.flatMap((item) => {
    const name = expectKind(item, ['text'], reading);
    if (name === undefined) return [];
    if (name.value === '*') return workers;
    if (workers.includes(name.value)) return [name.value];
    const near = nearest(name.value, workers);
    reading.problems.add('UNKNOWN_WORKER', name.span, {
      message: `there is no worker ${quote(name.value)} in this folder`,
      help:
        near === null
          ? workers.length === 0
            ? 'a worker is a file `NAME.worker`'
            : oneOf(workers)
          : `did you mean \`${near}\`?`,
    });
    return [];
  });
}
