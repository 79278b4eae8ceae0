import { defineToolset, type Toolset } from '@ambit/core';
import { requireTools } from './with-tools.js';

/** Throws on an unknown name. */
export function only(toolset: Toolset, names: readonly string[]): Toolset {
  requireTools(toolset, names);
  const { name, tools, capabilities } = toolset;
  return defineToolset({ name, tools: tools.filter((tool) => names.includes(tool.name)), capabilities });
}
