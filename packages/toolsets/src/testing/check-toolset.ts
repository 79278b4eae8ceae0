import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject, orNull, ownMember, remembered, type Toolset } from '@ambit/core';
import { checkConfined, type RunConfined } from './check-confined.js';
import { checkDescribing, type Described } from './check-describing.js';
import { checkExecuting } from './check-executing.js';
import { checkNames } from './check-names.js';
import { type Finding, finding } from './finding.js';

export interface CheckOptions {
  /** For each tool; 100 by default. */
  readonly runs?: number;
  /** The same seed gives the same arguments. */
  readonly seed?: number;
  /** Further calls by tool, executed where `execute` says so. */
  readonly examples?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly execute?: boolean;
  /**
   * Executes successful examples again, confined to their report. Needs `module`, and `findRunConfined()` of
   * `@ambit/shell`.
   */
  readonly confine?: RunConfined | null;
  /** Its package is checked too. */
  readonly module?: string;
}

export interface ToolsetReport {
  readonly toolset: string;
  readonly findings: readonly Finding[];
  readonly tools: readonly ToolReport[];
  readonly unchecked: readonly string[];
}

export interface ToolReport {
  readonly tool: string;
  readonly described: number;
  readonly executed: number;
  /** Sorted names, with their facts. */
  readonly capabilities: Readonly<Record<string, readonly string[]>>;
  readonly reads: readonly string[];
}

/** Checks that a toolset describes every call, purely and in canonical facts, and states no opinion. */
export async function checkToolset(toolset: Toolset, options: CheckOptions = {}): Promise<ToolsetReport> {
  const { runs = 100, seed = 1, examples = {}, execute = false, confine, module } = options;
  const findings: Finding[] = [
    ...checkNames(toolset),
    ...(module === undefined ? [] : await checkPackage(module)),
  ];
  const tools: ToolReport[] = [];
  for (const tool of toolset.tools) {
    const own = ownMember(examples, tool.name) ?? [];
    const report = await checkDescribing(toolset, tool, { runs, seed, examples: own });
    findings.push(...report.findings);
    const executed = execute ? own : [];
    for (const args of executed) {
      const parsed = tool.input.parse(args);
      if (!parsed.ok) continue;
      const found = await checkExecuting(tool, parsed.value);
      findings.push(...found);
      if (found.length === 0 && confine && module !== undefined)
        findings.push(...(await checkConfined(tool, parsed.value, { module, run: confine })));
    }
    tools.push({
      tool: tool.name,
      described: report.described.length,
      executed: executed.length,
      capabilities: capabilitiesIn(report.described),
      reads: report.reads,
    });
  }
  return {
    toolset: toolset.name,
    findings,
    tools,
    unchecked: uncheckedBy({ execute, confine: module === undefined ? undefined : confine }, tools),
  };
}

function capabilitiesIn(described: readonly Described[]): ToolReport['capabilities'] {
  const facts = new Map<string, Set<string>>();
  for (const { name, ...values } of described.flatMap(({ capabilities }) => capabilities)) {
    const seen = remembered(facts, name, () => new Set());
    for (const fact of Object.keys(values)) seen.add(fact);
  }
  const sorted = [...facts].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, seen]) => [name, [...seen].sort()]));
}

function uncheckedBy(
  { execute, confine }: { execute: boolean; confine: RunConfined | null | undefined },
  tools: readonly ToolReport[],
): readonly string[] {
  const without = tools.filter(({ executed }) => executed === 0).map(({ tool }) => tool);
  return [
    ...(execute ? [] : ['execution: it was not requested']),
    ...(execute && without.length > 0
      ? [`the execution of ${without.join(', ')}: there are no examples`]
      : []),
    confine
      ? 'what child processes and native code read, and where they connect to: only what they write, and whether they connect'
      : confine === null
        ? 'what child processes and native code do: nothing here confines them (bubblewrap or user namespaces)'
        : 'what child processes and native code do: they were not confined, so only their start is seen',
  ];
}

/** Packages that decide, enforce or record: a toolset that needs one knows too much. */
const deciding = ['@ambit/policy', '@ambit/analysis', '@ambit/runtime', '@ambit/audit', '@ambit/cli'];

/** None without a package. */
async function checkPackage(module: string): Promise<readonly Finding[]> {
  const manifest = await nearestManifest(dirname(module));
  if (manifest === null) return [];
  const needed = ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((key) => {
    const names = manifest[key];
    return isJsonObject(names) ? Object.keys(names) : [];
  });
  return deciding
    .filter((name) => needed.includes(name))
    .map((name) =>
      finding(
        'NOT_NEUTRAL',
        `its package depends on ${name}; a toolset states facts, and needs @ambit/core alone`,
      ),
    );
}

async function nearestManifest(folder: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text !== null) {
    const manifest: unknown = orNull(() => JSON.parse(text) as unknown);
    return isJsonObject(manifest) ? manifest : null;
  }
  const above = dirname(folder);
  return above === folder ? null : nearestManifest(above);
}
