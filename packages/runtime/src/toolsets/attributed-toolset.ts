import type { Description, Tool, Toolset } from '@ambit/core';
import { saidBy } from '@ambit/toolsets';

/** The same toolset; where a tool does not say who touches a file, a network or code, it is `toolset:NAME`. */
export function attributedToolset(toolset: Toolset): Toolset {
  const by = `toolset:${toolset.name}`;
  return { ...toolset, tools: toolset.tools.map((tool) => attributed(tool, by)) };
}

function attributed(tool: Tool, by: string): Tool {
  return {
    ...tool,
    describe: async (args, context) => {
      const said: Description = await tool.describe(args, context);
      // Anything else is refused by the guard, in its own words.
      if (!isDescription(said)) return said;
      return { ...said, capabilities: saidBy(by, said.capabilities) };
    },
  };
}

function isDescription(said: unknown): said is Description {
  if (typeof said !== 'object' || said === null) return false;
  const { capabilities } = said as Partial<Description>;
  if (!Array.isArray(capabilities)) return false;
  return capabilities.every((each: unknown) => {
    const name = typeof each === 'object' && each !== null ? (each as { name?: unknown }).name : undefined;
    return typeof name === 'string';
  });
}
