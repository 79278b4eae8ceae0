import { type CapabilityDefinition, type Toolset, vocabulary } from '@ambit/core';
import type { ToolsetReport } from './check-toolset.js';

/** The reported capabilities of each tool, in Markdown. */
export function capabilityTable(toolset: Toolset, { tools }: ToolsetReport): string {
  const rows = tools.flatMap(({ tool, capabilities }) => {
    const names = Object.entries(capabilities);
    const full = `\`${toolset.name}.${tool}\``;
    if (names.length === 0) return [`| ${full} | nothing | |`];
    return names.map(([name, facts], index) => {
      const shown = facts.filter((fact) => fact !== 'unknown').map((fact) => `\`${fact}\``);
      return `| ${index === 0 ? full : ''} | \`${name}\` ${shown.join(' ')} | ${meaningOf(name, toolset.capabilities)} |`;
    });
  });
  return ['| tool | reports | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function meaningOf(name: string, own: readonly CapabilityDefinition[]): string {
  const words = [...vocabulary, ...own].find((definition) => definition.name === name)?.words ?? '';
  return words.replaceAll('|', '\\|').replace(/\{([a-z0-9_]+)\}/g, '_$1_');
}
