import type * as z from 'zod';
import type { CallOutcome } from '../asking/refusal.js';
import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import type { Json, JsonObject } from '../words/json.js';
import { isSimpleName, isToolName } from '../words/name.js';
import type { CapabilityDefinition } from '../words/vocabulary.js';
import { type InputSchema, inputSchema } from './schema.js';

/** What a model can call. A tool describes a call and executes it; it never says that a call may run. */
export interface Tool<Args extends JsonObject = JsonObject> {
  /** Without the toolset: `write_file`. */
  readonly name: string;
  /** What the model calls it, where that is another name; policies, logs and people see the full name. */
  readonly offered_as?: string;
  /** For the model. */
  readonly description: string;
  readonly input: InputSchema<Args>;
  /** SHA-256, in hex, of what defines it besides name, description and schema: answers that were kept are void when it changes. */
  readonly digest?: string;
  /** Whether what it executes can do no more than was described, opaque programs too. Left out: it is not confined. */
  readonly confines?: boolean;
  /** What the call can do. Has no effect on the world and asks nobody. Throwing, or taking too long, refuses the call. */
  describe(args: Args, context: DescribeContext): Description | Promise<Description>;
  /** The call in a sentence, for a person who is asked: shown beside the arguments, never instead. */
  summary?(args: Args): string;
  /** What a person who is asked may want to look at besides the arguments. */
  preview?(args: Args, context: DescribeContext): Preview | null | Promise<Preview | null>;
  /** Does what was described, with the same frozen arguments. What it throws is a failure of the tool. */
  execute(args: Args, context: ExecuteContext): Json | Promise<Json>;
}

/** A named list of tools, and the capability names of its own that they report. */
export interface Toolset {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly capabilities: readonly CapabilityDefinition[];
}

export interface DescribeContext {
  readonly chain: NonEmpty<string>;
  readonly signal: AbortSignal;
  /** What an execution of this very call learnt before it started over; left out the first time. */
  readonly learnt?: Json;
}

export interface ExecuteContext extends DescribeContext {
  /** The id of the call in the log. */
  readonly id: string;
  /** What was judged: what the tool reported for these arguments just before. */
  readonly described: readonly Capability[];
  /**
   * Calls a tool of the same worker by its full name, through the same guard: a call of its own, described, judged, recorded.
   * Never rejects. Refused once `execute` has ended.
   */
  readonly call: (tool: string, args: JsonObject) => Promise<CallOutcome>;
}

export interface Description {
  readonly capabilities: readonly Capability[];
  /** Those of them that a host adds to what the tool says; it decides nothing. */
  readonly mapped?: readonly Capability[];
  /** Why the call cannot be done, whoever permits it (a read-only root, a missing file); in words for the model. */
  readonly cannot?: string;
}

/** A description that says why the call cannot be done, whoever permits it; with what it would have been, where that is known. */
export function cannot(why: string, capabilities: readonly Capability[] = []): Description {
  return { capabilities, cannot: why };
}

/** The text of a file before and after a call; `before` is null where there is no file. */
export interface Preview {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ToolDefinition<Args extends JsonObject> extends Omit<Tool<Args>, 'input'> {
  readonly input: z.ZodType<Args> | InputSchema<Args>;
}

export function defineTool<Args extends JsonObject>(definition: ToolDefinition<Args>): Tool<Args> {
  const { input } = definition;
  return { ...definition, input: 'safeParse' in input ? inputSchema(input) : input };
}

/** Throws on a name outside the grammar and on two tools of one name: bugs of the author, not of the call. */
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
    if (tools.some((other) => other !== tool && other.name === tool.name)) {
      throw new TypeError(`${name} has two tools called \`${tool.name}\``);
    }
  }
  // Arguments reach a tool only through its own schema, which is what makes a list of tools of any arguments safe.
  return { name, tools, capabilities };
}

/** A toolset that one worker call has for itself: `enter` is awaited before its first call, `exit` once the worker has ended, however that ended. */
export interface ConfiguredToolset extends Toolset {
  enter?(): void | Promise<void>;
  /** Not called where `enter` failed. */
  exit?(): void | Promise<void>;
}

/** What a module exports as `configure`: makes a fresh toolset, always of one name, from what a worker file says about it, frozen. Throws for what it does not take. */
export type Configure = (configuration: JsonObject) => ConfiguredToolset | Promise<ConfiguredToolset>;
