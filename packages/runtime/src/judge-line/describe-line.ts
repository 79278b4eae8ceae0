import {
  type Capability,
  createRequest,
  type Description,
  frozenCopy,
  isJsonObject,
  isToolName,
  type Json,
  type JsonObject,
  messageOf,
  type NonEmpty,
  type Tool,
  type Toolset,
  toolsetOf,
} from '@ambit/core';
import { answerLine, LineError, type LineFailure, own, shortened } from './call-line.js';

export interface DescribedLine {
  readonly id: Json;
  /** `tool.call` for none. */
  readonly capabilities: readonly Capability[];
  readonly cannot?: string;
}

export type ToolsetNamed = (name: string) => Promise<Toolset | undefined>;

/** Answers a line `{"id", "tool", "args"}`, also if it is unusable. */
export function describeLine(
  line: string,
  { toolsets }: { readonly toolsets: readonly Toolset[] },
): Promise<DescribedLine | LineFailure> {
  return answerLine(line, ['id', 'tool', 'args'], async (call, id) => {
    const [tool, args] = [readTool(call), readArguments(call)];
    const chain: NonEmpty<string> = ['main'];
    const described = await describeArguments({ tool, args, chain }, toolsets);
    const { capabilities } = createRequest({ ...described, tool, chain, context: {}, history: [], now: 0 });
    return { id, capabilities, ...(described.cannot === undefined ? {} : { cannot: described.cannot }) };
  });
}

export function readTool(call: JsonObject): string {
  const tool = own(call, 'tool');
  if (tool === undefined) throw new LineError('missing_key', '`tool` is missing');
  if (typeof tool !== 'string') throw new LineError('bad_value', '`tool` is not text');
  if (!isToolName(tool))
    throw new LineError('bad_value', `\`${shortened(tool)}\` is not a full tool name: \`toolset.tool\``);
  return tool;
}

export function readArguments(call: JsonObject): JsonObject {
  const args = own(call, 'args') ?? (Object.hasOwn(call, 'args') ? null : {});
  if (!isJsonObject(args)) throw new LineError('bad_value', '`args` is not an object');
  return args;
}

/** Arguments are unchanged for an unknown tool. */
export async function describeArguments(
  call: { readonly tool: string; readonly args: JsonObject; readonly chain: NonEmpty<string> },
  toolsets: readonly Toolset[] | ToolsetNamed,
): Promise<Description & { readonly args: JsonObject }> {
  const tool = await toolNamed(call.tool, toolsets);
  if (tool === undefined) return { capabilities: [], args: call.args };
  const args = parsedArguments(tool, call.args);
  return { ...(await description(tool, args, call.chain)), args };
}

async function toolNamed(
  name: string,
  toolsets: readonly Toolset[] | ToolsetNamed,
): Promise<Tool | undefined> {
  const wanted = toolsetOf(name);
  const toolset =
    typeof toolsets === 'function' ? await toolsets(wanted) : toolsets.find((each) => each.name === wanted);
  return toolset?.tools.find((tool) => `${toolset.name}.${tool.name}` === name);
}

function parsedArguments(tool: Tool, args: JsonObject): JsonObject {
  const parsed = tool.input.parse(args);
  if (!parsed.ok) throw new LineError('bad_args', parsed.problem);
  return frozenCopy(parsed.value);
}

/** Milliseconds. */
const limit = 10_000;

async function description(tool: Tool, args: JsonObject, chain: NonEmpty<string>): Promise<Description> {
  const done = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), limit);
  });
  try {
    return await Promise.race([tool.describe(args, { chain, signal: done.signal }), late]);
  } catch (error) {
    const why = messageOf(error);
    throw new LineError('undescribed', `describing failed: ${why}`);
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}
