import { defineToolset, type Tool, type Toolset } from '@ambit/core';

/** The same toolset with a change in each tool; the original stays unchanged. */
export function withTools(
  { name, tools, capabilities }: Toolset,
  changesOf: (tool: Tool) => Partial<Tool>,
): Toolset {
  return defineToolset({
    name,
    tools: tools.map((tool) => ({ ...copyOf(tool), ...changesOf(tool) })),
    capabilities,
  });
}

/** Throws if a name is not a tool of the toolset: such a wrapper is a mistake of its author. */
export function requireTools({ name, tools }: Toolset, wanted: readonly string[]): void {
  const odd = wanted.find((one) => !tools.some((tool) => tool.name === one));
  if (odd === undefined) return;
  throw new TypeError(`${name} has no tool \`${odd}\`: ${tools.map((tool) => tool.name).join(', ')}`);
}

/** Member by member: of a tool that is an instance of a class, a spread would lose the methods. */
function copyOf(tool: Tool): Tool {
  const { name, offered_as, description, input } = tool;
  return {
    name,
    ...(offered_as === undefined ? {} : { offered_as }),
    description,
    input,
    describe: (args, context) => tool.describe(args, context),
    summary: (args) => tool.summary?.(args) ?? '',
    preview: (args, context) => tool.preview?.(args, context) ?? null,
    execute: (args, context) => tool.execute(args, context),
  };
}
