import { defineToolset, stated, type Tool, type Toolset } from '@ambit/core';

/** The original stays unchanged. */
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

/** Throws on an unknown tool: a mistake of the wrapper's author. */
export function requireTools({ name, tools }: Toolset, wanted: readonly string[]): void {
  const odd = wanted.find((one) => !tools.some((tool) => tool.name === one));
  if (odd === undefined) return;
  throw new TypeError(`${name} has no tool \`${odd}\`: ${tools.map((tool) => tool.name).join(', ')}`);
}

/** Keeps methods of class instances, which a spread would lose. */
function copyOf(tool: Tool): Tool {
  const { name, offered_as, description, input, digest, confines } = tool;
  return {
    name,
    ...stated({ offered_as, digest, confines }),
    description,
    input,
    describe: (args, context) => tool.describe(args, context),
    summary: (args) => tool.summary?.(args) ?? '',
    preview: (args, context) => tool.preview?.(args, context) ?? null,
    execute: (args, context) => tool.execute(args, context),
  };
}
