import {
  type Capability,
  createRequest,
  type JsonObject,
  type NonEmpty,
  type ReferenceGrant,
} from '@ambit/core';
import {
  formatDiagnostics,
  type LoadedSuite,
  loadSuite,
  type SuiteWorld,
  type WrittenCall,
} from '@ambit/policy';
import type { Suite } from '../../src/suite/suite.js';
import { folders, worldOf } from '../world.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A policy with an exception, a permission for a folder and a blocked branch of names. */
export const plainPolicy = `version: 1
default: needs_approval
capabilities:
  fs.read: { decision: pre_approved, id: reading }
  net: { decision: blocked, id: no-net, reason: nothing leaves }
  fs.write:
    - { decision: pre_approved, id: out, match: { path: ./out/** }, except: { path: "**/.git/**" } }
    - { decision: blocked, id: no-secrets, match: { path: ["**/.env", "**/*.pem"] } }
`;

/** One suite, `a.test.yaml`, beside `policy.yaml`. Calls list their own capabilities. */
export function loadText(text: string | Uint8Array, files: Files = {}): Promise<LoadedSuite> {
  return loadSuite(
    'a.test.yaml',
    suiteWorldOf({ 'policy.yaml': plainPolicy, 'a.test.yaml': text, ...files }),
  );
}

export function suiteWorldOf(files: Files): SuiteWorld {
  const known = new Set(Object.keys(files));
  return {
    ...worldOf(files),
    home: folders.home,
    root: null,
    realpath: (path) => (known.has(path) ? Promise.resolve(path) : gone()),
    folder: (path) => (path === '.' ? Promise.resolve(folders.root) : gone()),
    describe: (call) => Promise.resolve(describedBy(call)),
  };
}

function gone(): Promise<never> {
  return Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }));
}

/** The suite of these cases, a YAML list. Throws its mistakes. */
export async function suiteOf(cases: string, files: Files = {}): Promise<Suite> {
  const loaded = await loadText(`policy: policy.yaml\ncases:\n${cases}`, files);
  if (!loaded.ok) throw new Error(formatDiagnostics(loaded.diagnostics));
  return loaded.suite;
}

/** `line:column CODE` for each diagnostic; empty if the suite loads. */
export async function suiteMistakes(
  text: string | Uint8Array,
  files: Files = {},
): Promise<readonly string[]> {
  const loaded = await loadText(text, files);
  return loaded.ok
    ? []
    : loaded.diagnostics.map(({ file, line, column, code }) =>
        file === 'a.test.yaml' ? `${line}:${column} ${code}` : `${file}:${line}:${column} ${code}`,
      );
}

interface Line {
  readonly tool: string;
  readonly worker?: string | NonEmpty<string>;
  readonly args?: JsonObject;
  readonly capabilities?: readonly (string | Capability)[];
  readonly context?: JsonObject;
  readonly history?: readonly (string | Capability)[];
  readonly grants?: readonly Omit<ReferenceGrant, 'source'>[];
  readonly now?: string;
}

function describedBy(call: WrittenCall) {
  const line = call as unknown as Line;
  const { tool, worker = 'main', args = {}, context = {}, now = '2026-11-20T10:00:00Z' } = line;
  if (tool === 'no.such') return { unusable: 'nobody has this tool' };
  const request = createRequest({
    tool,
    args,
    context,
    chain: typeof worker === 'string' ? [worker] : worker,
    capabilities: named(line.capabilities),
    history: named(line.history),
    now: Date.parse(now),
  });
  const grants = (line.grants ?? []).map((grant) => ({ source: 'reference' as const, ...grant }));
  return { request, grants, cannot: null };
}

function named(list: readonly (string | Capability)[] = []): readonly Capability[] {
  return list.map((each) => (typeof each === 'string' ? { name: each } : each));
}
