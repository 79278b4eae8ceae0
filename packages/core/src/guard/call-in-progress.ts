import type { AskedCall } from '../asking/asked-call.js';
import type { CallOutcome } from '../tool/outcome.js';
import type { Authority } from './authority.js';

export interface IncomingCall {
  /** In the log. */
  readonly id: string;
  /** The full name that the model used. */
  readonly name: string;
  readonly authority: Authority;
  readonly signal: AbortSignal;
  /** The call that makes this one; null for a model's call. */
  readonly parent: CallInProgress | null;
}

/** One call in the guard. */
export interface CallInProgress extends IncomingCall, AskedCall {
  /** Makes a call of any tool of the worker. */
  readonly callWithin: (call: {
    tool: string;
    args: unknown;
    signal: AbortSignal;
    parent: CallInProgress;
  }) => Promise<CallOutcome>;
}
