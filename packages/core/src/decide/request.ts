import { type Capability, withoutRepetition } from '../words/capability.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import type { JsonObject } from '../words/json.js';
import { toolsetOf } from '../words/name.js';

/** What a call looks like to the rules that speak about the call, not about one of its capabilities. */
export interface CallView {
  /** Full name, `toolset.tool`. */
  readonly tool: string;
  readonly toolset: string;
  /** The acting worker: the last of the chain. */
  readonly worker: string;
  /** Who calls for whom, root first. */
  readonly chain: NonEmpty<string>;
  readonly args: JsonObject;
  /** What the host says about the run. */
  readonly context: JsonObject;
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
}

/** What one capability of a call looks like to the rules that speak about it. */
export interface CapabilityView extends CallView {
  readonly capability: Capability;
}

/** One described call, ready to be judged. */
export interface Request extends CallView {
  /** What the tool reported, each once; `tool.call` where it reported nothing. */
  readonly capabilities: NonEmpty<Capability>;
  /** What the run has been permitted before. */
  readonly history: readonly Capability[];
  /** Those of the capabilities that the host's map adds, and not the tool itself; none where left out. */
  readonly mapped?: readonly Capability[];
}

export interface DescribedCall {
  readonly tool: string;
  readonly chain: NonEmpty<string>;
  readonly args: JsonObject;
  readonly capabilities: readonly Capability[];
  readonly mapped?: readonly Capability[];
  readonly context: JsonObject;
  readonly history: readonly Capability[];
  readonly now: number;
}

/** The call alone, without the capability that is looked at. */
export function callView({ tool, toolset, worker, chain, args, context, now }: CallView): CallView {
  return { tool, toolset, worker, chain, args, context, now };
}

export function createRequest(call: DescribedCall): Request {
  const reported = withoutRepetition(call.capabilities);
  return {
    ...call,
    toolset: toolsetOf(call.tool),
    worker: call.chain[call.chain.length - 1] as string,
    capabilities: isNonEmpty(reported) ? reported : [{ name: 'tool.call', tool: call.tool }],
  };
}
