import type { KeptAnswer } from '../decide/grant.js';
import type { CallDecision } from '../decide/judgement.js';
import type { Policy } from '../decide/policy.js';
import type { Tool, Toolset } from '../tool/tool.js';
import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import type { Json, JsonObject } from '../words/json.js';
import type { Answered } from './answer-validity.js';
import type { SameCall } from './refused-calls.js';

export interface ToolInUse {
  /** Root first; the last one acts. */
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly name: string;
  readonly tool: Tool;
  /** More may come during the run. */
  readonly policies: () => NonEmpty<Policy>;
}

export interface Keeper {
  /** Only if tool and policies are unchanged, and if not revoked. */
  kept(of: ToolInUse): Promise<readonly KeptAnswer[]>;
  /** Durable when it resolves. A rejection stops the run. */
  keep(answer: KeptAnswer, of: ToolInUse): Promise<void>;
}

export interface AskedCall extends ToolInUse {
  /** In the log. */
  readonly id: string;
  /** In the order in which the calls of the run arrived. */
  readonly number: number;
  readonly toolset: Toolset;
  readonly signal: AbortSignal;
}

/** One round of a call in the guard: described, judged, and perhaps asked about. */
export interface Attempt {
  readonly args: JsonObject;
  /** Whether a person wrote these arguments. */
  readonly edited: boolean;
  readonly answered: Answered | null;
  /** The last decision in the log. */
  readonly recorded: CallDecision | null;
  /** Why a person is asked once more. */
  readonly again: string | null;
  /** How many questions about it have ended. */
  readonly timesAsked: number;
  /** Whether it had begun before an interruption: only a person may repeat it. */
  readonly isUnknown: boolean;
  /** The model's arguments, if a person edited them. */
  readonly replaced?: SameCall;
  /** From an execution that started over. */
  readonly learnt?: Json;
}

/** The identity by which a repeated call is recognised. */
export function sameCall(
  { chain, name }: ToolInUse,
  args: JsonObject,
  capabilities: readonly Capability[],
): SameCall {
  return { chain, tool: name, args, capabilities };
}
