import type { Answered } from '../asking/answer-validity.js';
import type { CallOutcome, RefusalCode } from '../asking/refusal.js';
import type { SameCall } from '../asking/refused-calls.js';
import type { CallDecision } from '../decide/decide.js';
import type { Tool, Toolset } from '../tool/tool.js';
import type { Capability } from '../words/capability.js';
import type { Json, JsonObject } from '../words/json.js';
import type { Authority } from './authority.js';

/** A call with its caller and its name. */
export interface Entrance {
  readonly call: string;
  /** The full name that the model used. */
  readonly name: string;
  readonly authority: Authority;
  readonly signal: AbortSignal;
  /** The call that makes this one while it executes; null for a model's call. */
  readonly parent: Passage | null;
}

/** One call in the guard. */
export interface Passage extends Entrance {
  readonly toolset: Toolset;
  readonly tool: Tool;
  /** Makes a call of any tool of the worker, within the given call. */
  readonly callWithin: (call: {
    tool: string;
    args: unknown;
    signal: AbortSignal;
    parent: Passage;
  }) => Promise<CallOutcome>;
}

/** An attempt: the arguments, with the answer to them. */
export interface Attempt {
  readonly args: JsonObject;
  readonly edited: boolean;
  readonly answered: Answered | null;
  /** The logged decision. */
  readonly recorded: CallDecision | null;
  readonly again: string | null;
  /** The number of finished questions about the call. */
  readonly asked: number;
  /** Whether it had begun before the run was interrupted, so only a person may repeat it. */
  readonly isUnknown: boolean;
  /** The model's arguments, if a person edited them. */
  readonly replaced?: SameCall;
  /** What an execution of these arguments learned before it started over. */
  readonly learnt?: Json;
}

/** Why a call is refused, before or instead of a judgement. */
export interface Halt {
  readonly code: RefusalCode;
  readonly why: string;
}

/** The identity by which a repeated call is recognised. */
export function sameCall(
  { authority, name }: Entrance,
  args: JsonObject,
  capabilities: readonly Capability[],
): SameCall {
  return { chain: authority.chain, tool: name, args, capabilities };
}

/** Why a call must not continue, or null. */
export function haltOf({ authority: { run }, signal }: Entrance): Halt | null {
  if (run.stopped !== null) return { code: 'stopped', why: `the run has stopped: ${run.stopped}` };
  return signal.aborted ? { code: 'cancelled', why: 'the call was cancelled' } : null;
}
