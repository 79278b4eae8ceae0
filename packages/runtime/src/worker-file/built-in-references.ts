import { isAbsolute } from 'node:path';
import { type builtInToolsets, type JsonObject, textsOf } from '@ambit/core';
import * as yaml from '@ambit/policy/yaml';
import { filesystemIn, httpLimits, isProxy, openRoots } from '@ambit/toolsets';
import type Anthropic from '@anthropic-ai/sdk';
import { limit } from './worker-reading.js';

/** Keys by name, each with what may be said under it. */
export type ReferenceKeys = Readonly<Record<string, yaml.Grammar<unknown>>>;

interface BuiltInReference {
  /** Besides `approvals`. */
  readonly keys: ReferenceKeys;
  readonly required?: readonly string[];
  readonly tools: readonly string[];
}

/** Whether commands are confined: never, where this machine can, or else no command runs. */
const isolations = ['off', 'if_possible', 'required'] as const;

/** The folders of described writes, or all writable roots. */
const writes = ['described', 'roots'] as const;

/** Tools that run at the model's provider, unguarded; by the provider's names. */
const offered = {
  web_search: { name: 'web_search', type: 'web_search_20250305' },
  web_fetch: { name: 'web_fetch', type: 'web_fetch_20250910' },
  code_execution: { name: 'code_execution', type: 'code_execution_20250825' },
} as const satisfies Readonly<Record<string, Anthropic.ToolUnion>>;

const providerTools: readonly string[] = Object.keys(offered);

const folderOfPrograms = yaml.that(yaml.anyText, (path) => isAbsolute(path) && !path.includes(':'), {
  message: (path) => `${yaml.quote(path)} is not a folder to find programs in`,
  help: 'an absolute path',
});

const proxy = yaml.that(yaml.text, isProxy, {
  message: (address) => `${yaml.quote(address)} is not a proxy`,
  help: '`http://host:port`, without a name, a password or a path',
});

let knownFilesystemTools: readonly string[] | null = null;

type BuiltIn = (typeof builtInToolsets)[number] | 'provider';

/** By the names under `toolsets`. */
export const builtInReferences: Readonly<Record<BuiltIn, BuiltInReference>> = {
  filesystem: {
    keys: {},
    get tools() {
      knownFilesystemTools ??= filesystemIn(openRoots([], { home: '/' })).tools.map(({ name }) => name);
      return knownFilesystemTools;
    },
  },
  shell: {
    keys: {
      // Seconds.
      timeout: limit({ most: 3600 }),
      isolation: yaml.word(isolations, 'a value of `isolation`'),
      writes: yaml.word(writes, 'a value of `writes`'),
      search_path: yaml.list(folderOfPrograms, { mayBeEmpty: true }),
    },
    tools: ['run'],
  },
  http: {
    keys: {
      max_bytes: limit({ most: httpLimits.max_bytes }),
      timeout: limit({ most: httpLimits.timeout }),
      proxy,
    },
    tools: ['fetch'],
  },
  // No worker by default; the allowed ones are checked with the callees.
  delegation: { keys: { allow_workers: yaml.anything }, tools: ['worker_call', 'worker_create'] },
  // `provider: { tools: [web_search] }`, where a policy has a rule for them.
  provider: {
    keys: { tools: { schema: {}, read: readProviderTools } },
    required: ['tools'],
    tools: providerTools,
  },
};

function readProviderTools(node: yaml.Node, reporting: yaml.Reporting): void {
  const seen = new Set<string>();
  for (const item of yaml.expectKind(node, ['list'], reporting)?.items ?? []) {
    const name = yaml.expectKind(item, ['text'], reporting);
    if (name === undefined) continue;
    if (!providerTools.includes(name.value))
      reporting.problems.add('UNKNOWN_TOOL', name.span, {
        message: `${yaml.quote(name.value)} is not a tool of a provider`,
        help: yaml.helpFor(name.value, providerTools),
      });
    else if (seen.has(name.value))
      reporting.problems.add('BAD_VALUE', name.span, {
        message: `${yaml.quote(name.value)} is a duplicate`,
        help: 'once is enough',
      });
    seen.add(name.value);
  }
}

export function providerTool(name: string): Anthropic.ToolUnion | null {
  return Object.hasOwn(offered, name) ? offered[name as keyof typeof offered] : null;
}

export function providerToolsIn({ tools }: JsonObject): readonly string[] {
  return textsOf(tools);
}

export function shellSettings({ timeout, isolation, writes: may, search_path }: JsonObject) {
  return {
    /** Seconds. */
    timeout: typeof timeout === 'number' ? timeout : 120,
    isolation: isolations.find((word) => word === isolation) ?? 'if_possible',
    writes: writes.find((word) => word === may) ?? 'described',
    search_path: Array.isArray(search_path) ? search_path.map(String) : null,
  };
}
