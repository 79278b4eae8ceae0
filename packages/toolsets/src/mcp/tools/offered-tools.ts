import { type InputSchema, isToolName, printable, shortened } from '@ambit/core';
import {
  argumentsOf,
  type CheckedSchema,
  checkedSchema,
  patternsIn,
} from '../../json-schema/checked-schema.js';
import { type McpServer, toolsetNameOf } from '../connection/server-definition.js';
import { type ListedTool, listedTool } from './listed-tool.js';
import { shownSchema } from './shown-text.js';

export interface OfferedTool extends ListedTool {
  readonly shown: string;
  readonly schema: InputSchema;
  readonly result: CheckedSchema | null;
}

/** Not escaped. */
export interface LeftOut {
  readonly tool: string;
  readonly why: string;
}

export interface Offers {
  readonly tools: readonly OfferedTool[];
  readonly left_out: readonly LeftOut[];
}

interface Offering extends Pick<McpServer, 'key' | 'prefix'> {
  /** Whether a call may run as a task; false by default. */
  readonly runsTasks?: boolean;
}

export function offersOf(list: readonly unknown[], server: Offering): Offers {
  const tools: OfferedTool[] = [];
  const left_out: LeftOut[] = [];
  const listed = list.map(listedTool);
  let patterns = 0;
  const shownNames = listed.map((tool) =>
    tool === null ? null : `${server.prefix}${tool.name.replace(/[.:]/g, '_')}`,
  );
  for (const [index, tool] of listed.entries()) {
    const shown = shownNames[index];
    if (tool === null || shown === undefined || shown === null) {
      left_out.push({ tool: `#${index + 1}`, why: 'it is not a definition of a tool' });
      continue;
    }
    patterns += patternsIn(tool.input) + patternsIn(tool.output);
    const alike = shownNames.filter((other) => other?.toLowerCase() === shown.toLowerCase()).length;
    const why =
      alike > 1
        ? 'another tool of the server has the same name, or nearly'
        : patterns > mostPatterns
          ? `the schemas of the server have more than ${mostPatterns} patterns before it`
          : null;
    const offered = why ?? offer(tool, shown, server);
    if (typeof offered === 'string')
      left_out.push({ tool: shortened(tool.name.replace(/\s+/g, ' '), 100), why: offered });
    else tools.push(offered);
  }
  return { tools, left_out };
}

/** Each is compiled when the server starts. */
const mostPatterns = 300;

/** The names that models accept. */
const longestName = 128;

function offer(tool: ListedTool, shown: string, server: Offering): OfferedTool | string {
  if (!isToolName(`${toolsetNameOf(server)}.${tool.name}`)) return 'its name is not a valid tool name';
  if (shown.length > longestName) return `its name is longer than ${longestName} characters`;
  if (tool.wantsTask && server.runsTasks !== true) return 'it can be called only as a task';
  const input = checkedSchema(tool.input);
  if ('problem' in input) return `its input schema cannot be checked: ${printable(input.problem)}`;
  if (input.json.type !== 'object') return 'its input is not an object';
  const output = tool.output === null ? null : checkedSchema(tool.output);
  if (output !== null && 'problem' in output)
    return `its output schema cannot be checked: ${printable(output.problem)}`;
  return { ...tool, shown, schema: argumentsOf({ ...input, json: shownSchema(input.json) }), result: output };
}
