import type { Answered } from '../asking/answer-validity.js';
import type { CallOutcome, RefusalCode } from '../asking/refusal.js';
import type { SameCall } from '../asking/refused-calls.js';
import type { CallDecision } from '../decide/decide.js';
import type { Tool, Toolset } from '../tool/tool.js';
import type { Capability } from '../words/capability.js';
import type { Json, JsonObject } from '../words/json.js';
import type { Authority } from './authority.js';

/** A call at the door: who makes it, and under what name. */
export interface Entrance {
  readonly call: string;
  /** Full name, as the model asked for it. */
  readonly name: string;
  readonly authority: Authority;
  readonly signal: AbortSignal;
  /** The call that this one is made by while it executes; null for what the model asks for. */
  readonly parent: Passage | null;
}

/** One call on its way through the guard. */
export interface Passage extends Entrance {
  readonly toolset: Toolset;
  readonly tool: Tool;
  /** Makes a call of any tool of the worker, within the one that is given. */
  readonly callWithin: (call: {
    tool: string;
    args: unknown;
    signal: AbortSignal;
    parent: Passage;
  }) => Promise<CallOutcome>;
}

/** What is tried: the arguments, and the answer that somebody gave to them. */
export interface Attempt {
  readonly args: JsonObject;
  readonly edited: boolean;
  readonly answered: Answered | null;
  /** The decision that stands in the log. */
  readonly recorded: CallDecision | null;
  readonly again: string | null;
  /** How many questions about the call were answered, or given up. */
  readonly asked: number;
  /** Whether it had begun before the run was interrupted, so that only a person says that it runs again. */
  readonly isUnknown: boolean;
  /** What the model had asked for, where a person put other arguments in their place. */
  readonly replaced?: SameCall;
  /** What an execution of these arguments learnt before it started over. */
  readonly learnt?: Json;
}

/** Why a call goes no further, before or instead of a judgement. */
export interface Halt {
  readonly code: RefusalCode;
  readonly why: string;
}

/** What a call is known by when it comes back. */
export function sameCall(
  { authority, name }: Entrance,
  args: JsonObject,
  capabilities: readonly Capability[],
): SameCall {
  return { chain: authority.chain, tool: name, args, capabilities };
}

/** Why nothing more may happen to a call, or null. */
export function haltOf({ authority: { run }, signal }: Entrance): Halt | null {
  if (run.stopped !== null) return { code: 'stopped', why: `the run has stopped: ${run.stopped}` };
  return signal.aborted ? { code: 'cancelled', why: 'the call was cancelled' } : null;
}
