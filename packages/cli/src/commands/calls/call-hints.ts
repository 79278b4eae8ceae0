import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWord, standaloneToolsets, toolsetOf } from '@ambit/core';
import { nearest } from '@ambit/policy/yaml';
import type { LineJudge } from '@ambit/runtime';
import type { Host } from '../../host.js';

/** What there is in place of an unknown tool; empty for a known one, and for tools that only a run has. */
export async function unknownTool(name: string, toolsets: LineJudge['toolsets']): Promise<readonly string[]> {
  const wanted = toolsetOf(name);
  if (/^(?:worker|delegation|provider|toolset|mcp-.*)$/.test(wanted)) return [];
  const known =
    typeof toolsets === 'function' ? await toolsets(wanted) : toolsets.find((one) => one.name === wanted);
  const all: readonly string[] = known?.tools.map((tool) => `${wanted}.${tool.name}`) ?? standaloneToolsets;
  if (all.includes(name)) return [];
  const near = nearest(known === undefined ? wanted : name, all);
  const hint = `${near === null ? '' : `did you mean ${near}? `}there ${all.length === 1 ? 'is' : 'are'} ${all.join(', ')}`;
  return [
    known === undefined
      ? `no toolset \`${wanted}\` is loaded: ${hint}, and what --toolset MODULE loads`
      : `there is no tool \`${name}\`: ${hint}`,
  ];
}

/** How to explain the call that words, which were judged as a command line, may mean. */
export function callHints({ program, folder }: Host, given: string): readonly string[] {
  const judged = 'This is judged as a command line. To judge';
  if (/\.jsonl?$/.test(given) && existsSync(resolve(folder, given)))
    return [`${judged} the call in the file: ${program} explain - < ${given}`];
  const [, tool, args] = /^([a-z][a-z0-9_-]*\.[\w.-]+)\s+(\{.*\})\s*$/s.exec(given) ?? [];
  if (tool === undefined) return [];
  const line = shellWord(`{"tool":"${tool}","args":${args}}`);
  return [`${judged} a call of the tool: ${program} explain ${line}`];
}
