import { type Capability, withoutRepetition } from '../words/capability.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import type { JsonObject } from '../words/json.js';
import { toolsetOf } from '../words/name.js';

export interface CallView {
  /** Full name, `toolset.tool`. */
  readonly tool: string;
  readonly toolset: string;
  readonly worker: string;
  /** Root first. */
  readonly chain: NonEmpty<string>;
  readonly args: JsonObject;
  readonly context: JsonObject;
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
}

export interface CapabilityView extends CallView {
  readonly capability: Capability;
}

export interface Request extends CallView {
  /** Distinct; `tool.call` if there are none. */
  readonly capabilities: NonEmpty<Capability>;
  /** What the run was permitted before. */
  readonly history: readonly Capability[];
  /** None by default. */
  readonly mapped?: readonly Capability[];
}

export interface DescribedCall extends Omit<Request, 'toolset' | 'worker' | 'capabilities'> {
  readonly capabilities: readonly Capability[];
}

export function callView({ tool, toolset, worker, chain, args, context, now }: CallView): CallView {
  return { tool, toolset, worker, chain, args, context, now };
}

export function createRequest(call: DescribedCall): Request {
  const { tool, chain, args, context, history, now, mapped = [] } = call;
  const reported = withoutRepetition(call.capabilities);
  return {
    tool,
    toolset: toolsetOf(tool),
    worker: chain[chain.length - 1] as string,
    chain,
    args,
    context,
    history,
    now,
    capabilities: isNonEmpty(reported) ? reported : ([{ name: 'tool.call', tool }] as const),
    mapped,
  };
}
