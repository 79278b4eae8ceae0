import {
  type Capability,
  type DescribeContext,
  equalJson,
  type JsonObject,
  ownMember,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { requireTools, withTools } from './with-tools.js';

export type Addition =
  | readonly (string | Capability)[]
  | ((args: JsonObject, context: DescribeContext) => readonly (string | Capability)[]);

/** Adds capabilities to the report of tools, and never removes one. */
export function withCapabilities(toolset: Toolset, additions: Readonly<Record<string, Addition>>): Toolset {
  requireTools(toolset, Object.keys(additions));
  return withTools(toolset, (tool) => {
    const addition = ownMember(additions, tool.name);
    return addition === undefined ? {} : carrying(tool, addition);
  });
}

function carrying(tool: Tool, addition: Addition): Partial<Tool> {
  return {
    describe: async (args, context) => {
      const said = await tool.describe(args, context);
      const added = typeof addition === 'function' ? addition(args, context) : addition;
      const capabilities = added.map((one) => (typeof one === 'string' ? { name: one } : one));
      const { mapped = [] } = said;
      return {
        ...said,
        capabilities: [...said.capabilities, ...capabilities],
        mapped: [
          ...mapped,
          ...capabilities.filter((one) => !said.capabilities.some((other) => equalJson(other, one))),
        ],
      };
    },
  };
}
