import { type ConfiguredToolset, isJsonObject, type JsonObject, type Toolset } from '@ambit/core';
import { findRunConfined } from '@ambit/shell';
import type { ToolsetReport } from '@ambit/toolsets/testing';
import { EnteredToolsets, leavingAfter } from './entered-toolsets.js';
import { loadToolset } from './exported-toolset.js';

export type { ToolsetReport };

export interface ModuleCheck {
  readonly report: ToolsetReport;
  /** Absolute. */
  readonly path: string;
  /** Escaped. */
  readonly text: string;
  readonly table: string;
}

export interface ModuleCheckOptions {
  /** Calls that are generated for each tool. */
  readonly runs?: number;
  readonly seed?: number;
  readonly execute?: boolean;
  readonly confine?: boolean;
}

/** Loads a module and runs the conformance kit. Examples come from its export `examples`. */
export async function checkModule(
  key: string,
  folder: string,
  options: ModuleCheckOptions = {},
): Promise<ModuleCheck> {
  // Before the module: the watch must exist before its imports from Node.
  const { capabilityTable, checkToolset, formatReport } = await import('@ambit/toolsets/testing');
  const { toolset, isConfigured, path, exported } = await loadToolset(key, folder);
  const examples = examplesOf(exported.examples, key, toolset);
  const { confine = false, ...others } = options;
  const confined = confine ? { confine: await findRunConfined() } : {};
  const check = () => checkToolset(toolset, { ...others, ...confined, examples, module: path });
  const report = await (isConfigured && options.execute === true ? enteredFor(toolset, check) : check());
  return { report, path, text: formatReport(report), table: capabilityTable(toolset, report) };
}

async function enteredFor<T>(toolset: ConfiguredToolset, body: () => Promise<T>): Promise<T> {
  const entered = new EnteredToolsets();
  await entered.enter(toolset);
  return leavingAfter(entered, body);
}

function examplesOf(
  exported: unknown,
  key: string,
  { tools }: Toolset,
): Readonly<Record<string, readonly JsonObject[]>> {
  if (exported === undefined) return {};
  if (typeof exported !== 'object' || exported === null)
    throw new Error(`${key} exports \`examples\` that are not lists of arguments by tool`);
  for (const [tool, calls] of Object.entries(exported)) {
    if (!tools.some(({ name }) => name === tool))
      throw new Error(
        `${key} has examples of \`${tool}\`, but no such tool: ${tools.map(({ name }) => name).join(', ')}`,
      );
    if (!Array.isArray(calls) || !calls.every(isJsonObject))
      throw new Error(`${key} has examples of \`${tool}\` that are not a list of arguments`);
  }
  return exported as Readonly<Record<string, readonly JsonObject[]>>;
}
