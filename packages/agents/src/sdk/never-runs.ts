import {
  type Capability,
  createRequest,
  decide,
  type JsonObject,
  type NonEmpty,
  type Policy,
  type Rule,
  type Tool,
} from '@ambit/core';

interface OwnTool {
  readonly agent: string;
  /** The full name of the tool. */
  readonly name: string;
  readonly tool: Tool;
  readonly known: KnownOfCalls;
}

/** The properties that all calls in question share. */
export interface KnownOfCalls {
  /** Arguments that each of the calls has. All others are unknown. */
  readonly args?: JsonObject;
  /** Capabilities that each of the calls carries; by default, those of the tool with these arguments. */
  readonly capabilities?: readonly Capability[];
}

/**
 * Whether the policies block every call of the tool, as far as its arguments are known. Facts from other arguments are
 * missing, and leave their rules undecided. If a rule reads other arguments, the result is unknown.
 */
export async function neverRuns(
  { agent, name, tool, known: { args = {}, capabilities: carried } }: OwnTool,
  policies: NonEmpty<Policy>,
): Promise<boolean> {
  const chain: NonEmpty<string> = [agent];
  const signal = new AbortController().signal;
  const capabilities = carried ?? (await tool.describe(args, { chain, signal })).capabilities;
  let isRead = false;
  const unknown = (own: JsonObject): JsonObject => {
    const reads = () => {
      isRead = true;
      return undefined;
    };
    const get = (_: unknown, key: string | symbol) =>
      typeof key === 'string' && Object.hasOwn(own, key) ? own[key] : reads();
    const has = (_: unknown, key: string | symbol) => get(_, key) !== undefined;
    return new Proxy<JsonObject>(
      {},
      { get, has, ownKeys: () => reads() ?? [], getOwnPropertyDescriptor: reads },
    );
  };
  const call = { tool: name, chain, args: unknown(args), capabilities, context: unknown({}) };
  const { decision, judgements } = decide(createRequest({ ...call, history: [], now: Date.now() }), policies);
  const isCertain = judgements.some((each) => each.decision === 'blocked' && each.undecided.length === 0);
  return decision === 'blocked' && isCertain && !isRead;
}

/** Whether a rule names this capability and does not block it. */
export function hasRuleFor(name: string, policies: NonEmpty<Policy>): boolean {
  const names = (rule: Rule) =>
    rule.about === 'capability' &&
    (rule.name === name ||
      (rule.below && rule.decision === 'pre_approved' && name.startsWith(`${rule.name}.`)));
  return policies.some(({ rules }) =>
    rules.some((rule) => rule.decision !== 'blocked' && !rule.observe && names(rule)),
  );
}
