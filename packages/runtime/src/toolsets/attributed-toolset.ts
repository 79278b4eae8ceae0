import { type Description, isObject, type Tool, type Toolset } from '@ambit/core';
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
  const capabilities: unknown = isObject(said) ? said.capabilities : null;
  return (
    Array.isArray(capabilities) &&
    capabilities.every((each) => isObject(each) && typeof each.name === 'string')
  );
}
