import { defineToolset, type Toolset } from '@ambit/core';
import { requireTools } from './with-tools.js';

/** A toolset with these of its tools. Throws on a name that it does not have. */
export function only(toolset: Toolset, names: readonly string[]): Toolset {
  requireTools(toolset, names);
  const { name, tools, capabilities } = toolset;
  return defineToolset({ name, tools: tools.filter((tool) => names.includes(tool.name)), capabilities });
}
