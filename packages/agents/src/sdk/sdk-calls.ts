import { hash } from 'node:crypto';
import {
  equalJson,
  isObject,
  isSimpleName,
  type JsonObject,
  type NonEmpty,
  ownMember,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { attributedToolset, type ForeignCall } from '@ambit/runtime';
import type { JudgeOptions } from './judge-options.js';
import { plainArgs, type SdkCall } from './verdict.js';

interface Known {
  readonly agent: string;
  readonly tools: ReadonlyMap<string, OwnTool>;
  readonly describe: NonNullable<JudgeOptions['describe']>;
}

interface OwnTool {
  readonly name: string;
  readonly tool: Tool;
}

/** The calls of an SDK in Ambit's format, and their ids in the log. */
export class SdkCalls {
  /** The log ids of the last calls with an SDK id and arguments. A repeated SDK id gets another log id. */
  readonly #logIds = new Map<string, string>();
  /** The log ids of the caller's objects; null after the end of a call. */
  readonly #own = new WeakMap<SdkCall, string | null>();
  /** Calls as they were judged. A tool may change its arguments while it runs. */
  readonly #asJudged = new WeakMap<SdkCall, ForeignCall>();
  /** The SDK's tools, by their names in policies. */
  readonly #tools: Map<string, string>;

  constructor(readonly known: Known) {
    const described = Object.keys(known.describe).map((tool) => [`app.${simpleName(tool)}`, tool] as const);
    const own = [...known.tools].map(([offered, { name }]) => [name, offered] as const);
    // Of two with the same name, the first.
    this.#tools = new Map([...described.reverse(), ...own]);
  }

  /** The call as it is judged now, or the reason why it cannot be judged. */
  toJudge(call: SdkCall): ForeignCall | string {
    const foreign = foreignCall(call, this.known);
    if (typeof foreign === 'string') return foreign;
    const { name } = foreign;
    const first = this.#tools.get(name) ?? call.tool;
    // An answer about one would also count for the other.
    if (first !== call.tool)
      return `\`${first}\` and \`${call.tool}\` are both \`${name}\`: rename one of them`;
    this.#tools.set(name, first);
    this.#asJudged.set(call, foreign);
    return foreign;
  }

  asJudged(call: SdkCall): ForeignCall | string {
    return this.#asJudged.get(call) ?? foreignCall(call, this.known);
  }

  /** Undefined if the call is not known, null if it has ended. Another object with the same members is the last such call. */
  logIdOf(call: SdkCall, foreign: ForeignCall): string | null | undefined {
    const own = this.#own.get(call);
    return own === undefined ? this.#logIds.get(keyOf(foreign)) : own;
  }

  open(call: SdkCall, foreign: ForeignCall, logId: string): void {
    this.#own.set(call, logId);
    if (foreign.id === null) return;
    const key = keyOf(foreign);
    this.#logIds.delete(key);
    this.#logIds.set(key, logId);
    for (const oldest of this.#logIds.keys()) {
      if (this.#logIds.size <= mostKnown) break;
      this.#logIds.delete(oldest);
    }
  }

  close(call: SdkCall, foreign: ForeignCall): void {
    if (this.logIdOf(call, foreign) === this.#logIds.get(keyOf(foreign))) this.#logIds.delete(keyOf(foreign));
    this.#own.set(call, null);
  }
}

/** The most calls that are found by their members. Of those that wait for an answer, some never get one. */
const mostKnown = 10_000;

/** A digest: the arguments may be long. */
function keyOf({ id, chain, name, args }: ForeignCall): string {
  return digestOf(JSON.stringify([id, chain, name, args]));
}

/** The tools of toolsets, by the names that a model sees. Throws if two tools have the same name. */
export function ownTools(toolsets: readonly Toolset[]): ReadonlyMap<string, OwnTool> {
  const found = new Map<string, OwnTool>();
  for (const { name: toolset, tools } of toolsets.map(attributedToolset))
    for (const tool of tools) {
      const { name, offered_as: offered = name } = tool;
      if (found.has(offered)) throw new TypeError(`two tools are offered as \`${offered}\``);
      found.set(offered, { name: `${toolset}.${name}`, tool });
    }
  return found;
}

/** What is wrong with the call of a program that no compiler checked; null if nothing is. */
export function wrongIn(call: unknown): string | null {
  if (!isObject(call)) return 'the call is not an object';
  const { id = null, tool, agents = null } = call;
  if (id !== null && typeof id !== 'string') return '`id` of the call is neither a text nor null';
  if (typeof tool !== 'string') return '`tool` of the call is not a text';
  const isList = Array.isArray(agents) && agents.every((each) => typeof each === 'string');
  return agents === null || isList ? null : '`agents` of the call is not a list of names';
}

/** The call in Ambit's format, or the reason why it cannot be judged. */
function foreignCall(call: SdkCall, { agent, tools, describe }: Known): ForeignCall | string {
  const wrong = wrongIn(call);
  if (wrong !== null) return wrong;
  const args = plainArgs(call.args ?? {});
  if (!isObject(args)) return `the arguments of \`${call.tool}\` are not a plain JSON object`;
  const chain: NonEmpty<string> = [agent, ...(call.agents ?? [])];
  const id = typeof call.id === 'string' ? plainId(call.id) : null;
  const own = tools.get(call.tool);
  if (own !== undefined) {
    const { name, tool } = own;
    const parsed = tool.input.parse(args);
    const isSame = !parsed.ok || equalJson(parsed.value, args);
    const judged = isSame ? tool : withOtherArgs(own, parsed.value);
    return { id, chain, name, tool: judged, args, describe: async () => [] };
  }
  const name = `app.${simpleName(call.tool)}`;
  const more = ownMember(describe, call.tool);
  // Another judge of this session may know another tool by the same name.
  const named = { name: 'tool.call', tool: name, named: call.tool };
  const undescribed = name === `app.${call.tool}` ? [] : [named];
  return { id, chain, name, args, describe: async () => (more === undefined ? undescribed : more(args)) };
}

/** The tool for a call whose arguments the schema changes: the SDK runs them as they are, which does more, or something else. */
function withOtherArgs({ name, tool }: OwnTool, made: JsonObject): Tool {
  return {
    ...tool,
    input: { ...tool.input, parse: (value) => ({ ok: true, value: value as JsonObject }) },
    async describe(_, context) {
      const said = await tool.describe(made, context);
      return { ...said, capabilities: [...said.capabilities, { name: 'tool.call', tool: name }] };
    },
  };
}

/** A valid id for the log: the SDK's own, or a digest of it. An id in the form of a digest gets one too. */
function plainId(id: string): string {
  return /^(?!call-[0-9a-f]{32}$)[A-Za-z0-9_-]{8,80}$/.test(id) ? id : `call-${digestOf(id)}`;
}

/**
 * `sendMail` becomes `send_mail`. A name with other characters gets a digest, so that two names never become
 * one.
 */
function simpleName(name: string): string {
  const plain = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return isSimpleName(plain) && /^[A-Za-z0-9_-]{1,80}$/.test(name) ? plain : `tool-${digestOf(name)}`;
}

function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 32);
}
