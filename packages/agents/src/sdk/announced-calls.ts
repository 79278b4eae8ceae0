import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@ambit/core';
import { type Judge, plainArgs, type SdkCall, type SdkVerdict, toModel, verdictOf } from './verdict.js';

/** A call that was judged, and has no outcome yet. */
interface Announced {
  readonly call: SdkCall;
  readonly verdict: SdkVerdict;
  /** Aborted when the call begins. */
  readonly begins: AbortController;
}

/**
 * Calls that are judged before they run. `holder` is an object that the SDK gives with the call each time. A call is
 * found only with its holder, and forgotten with it. A model may repeat an id.
 */
export class AnnouncedCalls {
  readonly #announced = new WeakMap<object, readonly Announced[]>();

  constructor(readonly by: Judge) {}

  /** Judges a call, or judges it again after the user's yes. An equal one that never began is forgotten. */
  async judge(holder: unknown, call: SdkCall, isApproved = false): Promise<Announced> {
    const judged = plain(call);
    const verdict = await verdictOf(() => (isApproved ? this.by.approve(judged) : this.by.judge(judged)));
    const announced = { call: judged, verdict, begins: new AbortController() };
    const others = this.#of(holder).filter(
      (each) => !isWaiting(each) || !isDeepStrictEqual(each.call, judged),
    );
    if (isObject(holder)) this.#announced.set(holder, [...others, announced]);
    return announced;
  }

  /**
   * The call that was announced with this id, or else judged now. A schema may have changed its arguments: if several
   * have the id, and none these arguments, one that is not permitted.
   */
  async announced(holder: unknown, call: SdkCall): Promise<Announced> {
    const all = this.#of(holder).filter((each) => isWaiting(each) && each.call.id === call.id);
    const own = all.find((each) => isDeepStrictEqual(each.call, plain(call)));
    return own ?? all.find((each) => !isPermitted(each)) ?? all[0] ?? this.judge(holder, call);
  }

  /** Whether exactly this call was permitted and has not begun. It begins now. */
  begin(holder: unknown, call: SdkCall): boolean {
    const own = this.#of(holder).find(
      (each) => isWaiting(each) && isPermitted(each) && isDeepStrictEqual(each.call, plain(call)),
    );
    own?.begins.abort();
    return own !== undefined;
  }

  /** Judges a call that begins now, when nobody can be asked about it. Throws unless it is permitted. */
  async beginUnannounced(holder: unknown, call: SdkCall, isApproved = false): Promise<SdkCall> {
    const { call: judged, verdict, begins } = await this.judge(holder, call, isApproved);
    begins.abort();
    if (verdict.decision === 'needs_approval') await this.by.deny(judged);
    if (verdict.decision !== 'pre_approved') throw new Error(toModel(verdict));
    return judged;
  }

  /** Records the outcome of the last permitted call with this id. */
  async ended(holder: unknown, id: string, error: string | null): Promise<void> {
    const own = this.#of(holder).findLast((each) => isPermitted(each) && each.call.id === id);
    if (own === undefined || !isObject(holder)) return;
    own.begins.abort();
    this.#announced.set(
      holder,
      this.#of(holder).filter((each) => each !== own),
    );
    await this.by.ended(own.call, error);
  }

  #of(holder: unknown): readonly Announced[] {
    return (isObject(holder) && this.#announced.get(holder)) || [];
  }
}

const isWaiting = ({ begins }: Announced) => !begins.signal.aborted;
const isPermitted = ({ verdict }: Announced) => verdict.decision === 'pre_approved';

/** With a copy of the arguments, which nobody can change. */
function plain(call: SdkCall): SdkCall {
  return { ...call, args: plainArgs(call.args) ?? call.args };
}
