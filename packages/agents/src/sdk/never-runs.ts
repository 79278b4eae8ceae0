import { createRequest, decide, type JsonObject, type NonEmpty, type Policy, type Tool } from '@ambit/core';

interface OwnTool {
  readonly agent: string;
  /** Its full name. */
  readonly name: string;
  readonly tool: Tool;
}

/**
 * Whether the policies block every call of the tool. It is described without arguments, so a fact from them is missing and leaves its
 * rules undecided. Where a rule reads the arguments themselves, nothing is known.
 */
export async function neverRuns(
  { agent, name, tool }: OwnTool,
  policies: NonEmpty<Policy>,
): Promise<boolean> {
  const chain: NonEmpty<string> = [agent];
  const { capabilities } = await tool.describe({}, { chain, signal: new AbortController().signal });
  let isRead = false;
  const unknown = (): JsonObject => {
    const reads = () => {
      isRead = true;
      return undefined;
    };
    const has = () => reads() !== undefined;
    const ownKeys = () => {
      isRead = true;
      return [];
    };
    return new Proxy({}, { get: reads, has, ownKeys, getOwnPropertyDescriptor: reads });
  };
  const call = { tool: name, chain, args: unknown(), capabilities, context: unknown() };
  const { decision, judgements } = decide(createRequest({ ...call, history: [], now: Date.now() }), policies);
  const isCertain = judgements.some((each) => each.decision === 'blocked' && each.undecided.length === 0);
  return decision === 'blocked' && isCertain && !isRead;
}
