import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import { isList, type Json, type JsonObject, jsonCopy } from '../words/json.js';
import { isSimpleName, isToolName } from '../words/name.js';
import { messageOf, orNull } from '../words/text.js';
import type { CapabilityDefinition } from '../words/vocabulary.js';
import type { CallOutcome } from './outcome.js';
import { type InputSchema, inputSchema, type Parsed, type StandardSchema } from './schema.js';

/** What a model can call. A tool describes a call and executes it; it never says that a call may run. */
export interface Tool<Args extends JsonObject = JsonObject> {
  /** Without the toolset: `write_file`. */
  readonly name: string;
  /** Its name for the model, if different; policies, logs and people see the full name. */
  readonly offered_as?: string;
  /** For the model. */
  readonly description: string;
  readonly input: InputSchema<Args>;
  /** SHA-256, in hex, of the rest of its definition: a change ends kept answers. */
  readonly digest?: string;
  /** Whether it confines what it runs to the description, also opaque programs. Absent: not confined. */
  readonly confines?: boolean;
  /** Has no effects and asks no questions. An exception or a time-out refuses the call. */
  describe(args: Args, context: DescribeContext): Description | Promise<Description>;
  /** The call in a sentence for the approver: shown beside the arguments, never instead. */
  summary?(args: Args): string;
  /** Further material for the approver. */
  preview?(args: Args, context: DescribeContext): Preview | null | Promise<Preview | null>;
  /** Does what was described, with the same frozen arguments. An exception is a failure of the tool. */
  execute(args: Args, context: ExecuteContext): Json | Promise<Json>;
}

export interface Toolset {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly capabilities: readonly CapabilityDefinition[];
}

export interface DescribeContext {
  readonly chain: NonEmpty<string>;
  readonly signal: AbortSignal;
  /** What an execution of this call learned before it started over; absent the first time. */
  readonly learnt?: Json;
}

export interface ExecuteContext extends DescribeContext {
  /** In the log. */
  readonly id: string;
  readonly described: readonly Capability[];
  /** Calls a tool of the same worker through its guard: described, judged, recorded. Never rejects. */
  readonly call: (tool: string, args: JsonObject) => Promise<CallOutcome>;
}

export interface Description {
  readonly capabilities: readonly Capability[];
  /** The capabilities that a host adds; it decides nothing. */
  readonly mapped?: readonly Capability[];
  /** For the model: why the call cannot work, whatever the policy. */
  readonly cannot?: string;
}

export function cannot(why: string, capabilities: readonly Capability[] = []): Description {
  return { capabilities, cannot: why };
}

/** `before` is null for a new file. */
export interface Preview {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ToolDefinition<Args extends JsonObject> extends Omit<Tool<Args>, 'input'> {
  /** A schema of zod or of another library with Standard Schema, or a pair of `parse` and `json`. */
  readonly input: StandardSchema<Args> | InputSchema<Args>;
}

/** Throws without an input, `describe` or `execute`. */
export function defineTool<Args extends JsonObject>(definition: ToolDefinition<Args>): Tool<Args> {
  const { name, input } = definition;
  const missing = (['input', 'describe', 'execute'] as const).find((key) => definition[key] === undefined);
  if (missing !== undefined) throw new TypeError(`the tool \`${name}\` has no \`${missing}\``);
  return { ...definition, input: '~standard' in input ? inputSchema(input) : input };
}

/** Plain JSON, checked, with defaults, frozen. */
export function parseArguments(tool: Tool, raw: unknown): Parsed<JsonObject> {
  const given = jsonCopy(raw);
  if (given === undefined) return notPlain;
  try {
    const parsed = tool.input.parse(given);
    if (!parsed.ok) return parsed;
    const value = parsed.value === given ? given : jsonCopy(parsed.value);
    const isObject = typeof value === 'object' && value !== null && !isList(value);
    return isObject ? { ok: true, value } : notPlain;
  } catch (error) {
    return { ok: false, problem: `the arguments could not be checked: ${messageOf(error)}` };
  }
}

const notPlain = { ok: false, problem: 'the arguments are not plain JSON values' } as const;

/** Throws on invalid and duplicate names. */
export function defineToolset(definition: {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly capabilities?: readonly CapabilityDefinition[];
}): Toolset {
  const { name, tools, capabilities = [] } = definition;
  if (!isSimpleName(name)) throw new TypeError(`\`${name}\` is not a toolset name: [a-z][a-z0-9_-]*`);
  for (const tool of tools) {
    if (!isToolName(`${name}.${tool.name}`)) throw new TypeError(`\`${tool.name}\` is not a tool name`);
    if (tool.offered_as !== undefined && !isToolName(`${name}.${tool.offered_as}`))
      throw new TypeError(`\`${tool.offered_as}\` is not a tool name`);
    if (tools.filter((other) => other.name === tool.name).length > 1)
      throw new TypeError(`${name} has two tools called \`${tool.name}\``);
  }
  // Arguments reach a tool only through its own schema, so a list of tools with any arguments is safe.
  return { name, tools, capabilities };
}

/** `enter` is awaited before the first call of a worker, `exit` after its end. */
export interface ConfiguredToolset extends Toolset {
  enter?(): void | Promise<void>;
  /** Not called if `enter` failed. */
  exit?(): void | Promise<void>;
}

/** A module's `configure`: always creates a toolset of one name. Throws on invalid keys. */
export type Configure = (configuration: JsonObject) => ConfiguredToolset | Promise<ConfiguredToolset>;

const startsOver = Symbol.for('@ambit/core StartOver');

/** Thrown by `execute` before any effect, if the call does more than was described. It is then described again. */
export class StartOver extends Error {
  override readonly name = 'StartOver';
  readonly [startsOver] = true;
  constructor(
    readonly learnt: Json,
    why = 'the call starts over',
  ) {
    super(why);
  }

  /** True also for one of another copy of this package: toolsets bring their own. */
  static override [Symbol.hasInstance](value: unknown): value is StartOver {
    return typeof value === 'object' && value !== null && orNull(() => startsOver in value) === true;
  }
}
