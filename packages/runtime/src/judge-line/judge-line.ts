import {
  answer,
  type Capability,
  createRequest,
  describeCall,
  frozenCopy,
  type Grant,
  isCapabilityName,
  isJsonObject,
  isNonEmpty,
  isToolName,
  isWorkerName,
  type Json,
  type JsonObject,
  type NonEmpty,
  originsOf,
  ownMember,
  type Policy,
  parseTimestamp,
  type Tool,
  type Toolset,
  tooLargeToJudge,
  toolsetOf,
  withOrigins,
} from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { clock } from '../host/clock.js';
import { answerLine, LineError, readCapability, readList, requireKnownKeys, shortText } from './call-line.js';

export interface LineJudge {
  readonly policies: NonEmpty<Policy>;
  readonly toolsets: readonly Toolset[] | ToolsetNamed;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Judges one line of JSON, with the origins in the order of the capabilities. Never rejects. */
export async function judgeLine(line: string, judge: LineJudge) {
  const judged = await judgeLineInFull(line, judge);
  if ('error' in judged) return judged;
  const { id, decision, request, cannot } = judged;
  const origins = originsOf(decision.capabilities, { request, policies: judge.policies });
  return { id, ...withOrigins(decision, origins), ...(cannot === null ? {} : { cannot }) };
}

/** The same with the request that was judged, before it is put into a document. Never rejects. */
export function judgeLineInFull(line: string, judge: LineJudge) {
  return answerLine(line, keys, async (call, id) => {
    const { cannot, grants, ...given } = await readCall(call, judge);
    const { policies } = judge;
    const tooLarge = tooLargeToJudge(given.capabilities, policies);
    if (tooLarge !== null) throw new LineError('bad_value', tooLarge);
    const request = createRequest(given);
    const decision = answer(engine.decide(request, policies), { request, policies, grants });
    return { id, request, grants, decision, cannot };
  });
}

const engine = createEngine();
const keys = ['id', 'worker', 'tool', 'args', 'capabilities', 'context', 'history', 'grants', 'now'];

async function readCall(call: JsonObject, { toolsets, now }: LineJudge) {
  const [tool, chain, args] = [readTool(call), readChain(ownMember(call, 'worker')), readArguments(call)];
  const rest = {
    tool,
    chain,
    context: readContext(ownMember(call, 'context')),
    history: readCapabilities(ownMember(call, 'history'), 'history'),
    grants: readList(ownMember(call, 'grants'), 'grants').map(readGrant),
    now: Object.hasOwn(call, 'now') ? readTime(ownMember(call, 'now')) : now(),
  };
  const isGiven = Object.hasOwn(call, 'capabilities');
  const given = isGiven ? readCapabilities(ownMember(call, 'capabilities'), 'capabilities') : [];
  const described = isGiven
    ? { args, capabilities: given, mapped: given }
    : await describeArguments({ tool, chain, args }, toolsets);
  return { cannot: null, ...rest, ...described };
}

/** A name, or a chain with the root first; `main` by default. */
function readChain(value: Json | undefined): NonEmpty<string> {
  const names: readonly Json[] =
    value === undefined ? ['main'] : typeof value === 'string' ? [value] : readList(value, 'worker');
  if (!isNonEmpty(names)) throw new LineError('bad_value', '`worker` is an empty chain');
  const [first, ...others] = names;
  return [readWorker(first), ...others.map(readWorker)];
}

function readWorker(value: Json): string {
  if (typeof value !== 'string')
    throw new LineError('bad_value', '`worker` is neither a name nor a list of names');
  if (!isWorkerName(value))
    throw new LineError('bad_value', `\`${shortText(value)}\` is not a worker name: [a-z][a-z0-9_-]*`);
  return value;
}

function readContext(value: Json | undefined): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new LineError('bad_value', '`context` is not an object');
  return value;
}

function readCapabilities(value: Json | undefined, key: string): readonly Capability[] {
  return readList(value, key).map((item, index) => readCapability(item, `\`${key}[${index}]\``));
}

function readGrant(value: Json, index: number): Grant {
  const where = `\`grants[${index}]\``;
  if (!isJsonObject(value)) throw new LineError('bad_value', `${where} is not an object`);
  requireKnownKeys(value, ['worker', 'tool', 'capabilities'], ` in ${where}`);
  const [worker, tool] = [ownMember(value, 'worker'), ownMember(value, 'tool')];
  if (typeof worker !== 'string' || !isWorkerName(worker))
    throw new LineError('bad_value', `${where} has no \`worker\` that is a worker's name`);
  if (typeof tool !== 'string' || !isToolName(tool))
    throw new LineError('bad_value', `${where} has no \`tool\` that is a tool's full name`);
  if (!Object.hasOwn(value, 'capabilities')) return { source: 'reference', worker, tool };
  const capabilities = readList(ownMember(value, 'capabilities'), `grants[${index}].capabilities`);
  return {
    source: 'reference',
    worker,
    tool,
    capabilities: capabilities.map((name) => readName(name, where)),
  };
}

function readName(value: Json, where: string): string {
  if (typeof value !== 'string' || !isCapabilityName(value))
    throw new LineError('bad_value', `the \`capabilities\` of ${where} are not all names of capabilities`);
  return value;
}

/** RFC 3339. */
function readTime(value: Json | undefined): number {
  const time = typeof value === 'string' ? parseTimestamp(value) : null;
  if (time === null)
    throw new LineError('bad_value', '`now` is not a time as in RFC 3339: 2026-11-20T10:00:00Z');
  return time;
}

export type ToolsetNamed = (name: string) => Promise<Toolset | undefined>;

/** Answers a line `{"id", "tool", "args"}`, also if it is unusable. */
export function describeLine(line: string, { toolsets }: { readonly toolsets: readonly Toolset[] }) {
  return answerLine(line, ['id', 'tool', 'args'], async (call, id) => {
    const [tool, args] = [readTool(call), readArguments(call)];
    const chain: NonEmpty<string> = ['main'];
    const described = await describeArguments({ tool, args, chain }, toolsets);
    // `tool.call` for none.
    const { capabilities } = createRequest({ ...described, tool, chain, context: {}, history: [], now: 0 });
    return { id, capabilities, ...(described.cannot === null ? {} : { cannot: described.cannot }) };
  });
}

function readTool(call: JsonObject): string {
  const tool = ownMember(call, 'tool');
  if (tool === undefined) throw new LineError('missing_key', '`tool` is missing');
  if (typeof tool !== 'string') throw new LineError('bad_value', '`tool` is not text');
  if (!isToolName(tool))
    throw new LineError('bad_value', `\`${shortText(tool)}\` is not a full tool name: \`toolset.tool\``);
  return tool;
}

function readArguments(call: JsonObject): JsonObject {
  const args = ownMember(call, 'args') ?? (Object.hasOwn(call, 'args') ? null : {});
  if (!isJsonObject(args)) throw new LineError('bad_value', '`args` is not an object');
  return args;
}

/** Arguments are unchanged for an unknown tool. */
async function describeArguments(
  call: { readonly tool: string; readonly args: JsonObject; readonly chain: NonEmpty<string> },
  toolsets: readonly Toolset[] | ToolsetNamed,
) {
  const tool = await toolNamed(call.tool, toolsets);
  if (tool === undefined) return { capabilities: [], args: call.args, cannot: null };
  const args = parsedArguments(tool, call.args);
  const bounds = { chain: call.chain, clock, limit: undefined, signal: new AbortController().signal };
  const described = await describeCall(tool, args, bounds);
  if (!described.ok) throw new LineError('undescribed', described.why);
  return { ...described, args };
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
