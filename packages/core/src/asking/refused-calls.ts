import type { CallDecision } from '../decide/judgement.js';
import type { Policy } from '../decide/policy.js';
import { isMadeOf } from '../decide/reach.js';
import type { Refusal } from '../tool/outcome.js';
import { type Capability, carriedBy } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import { equalJson, type JsonObject } from '../words/json.js';
import { refusalOf } from './refusal.js';

/** Arguments in any order of keys. */
export interface SameCall {
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly capabilities: readonly Capability[];
}

export interface RefusedCall {
  readonly person: string;
  readonly note: string | null;
  /** Whether the person chose to be asked when the call comes back. */
  readonly askAgain: boolean;
  readonly cameBack: number;
}

/** The judgement of the call when it was refused, for later messages. */
export interface JudgedBefore {
  readonly decision: CallDecision;
  readonly policies: readonly Policy[];
}

interface Entry {
  readonly call: SameCall;
  refused: RefusedCall;
}

/** It only grows, and its entries only become stricter. */
export class RefusedCalls {
  readonly #kept: Entry[] = [];

  /** Refuses this call from now on, and `replaced`, from which it was edited. */
  refuse(no: {
    readonly call: SameCall;
    readonly replaced: SameCall | undefined;
    readonly judged: JudgedBefore;
    readonly refused: Omit<RefusedCall, 'cameBack'>;
  }): Refusal {
    const { call, replaced, judged, refused } = no;
    for (const each of replaced === undefined ? [call] : [call, replaced]) this.add(each, refused);
    const { cameBack = 0 } = this.#find(call)?.refused ?? {};
    const said = refused.note === null ? '' : `: ${refused.note}`;
    const often = cameBack === 0 ? '' : `; it was repeated ${times(cameBack)}`;
    return denialOf(judged, { reason: `${refused.person} refused this call${said}${often}`, cameBack });
  }

  /** Null if nobody refused it, or a person wants to be asked again. Counted. */
  refuseAgain(call: SameCall, judged: JudgedBefore): Refusal | null {
    if (this.#find(call)?.refused.askAgain !== false) return null;
    const before = this.comeBack(call);
    if (before === null) return null;
    const { person, note, cameBack } = before;
    const said = note === null ? '' : ` (${note})`;
    const reason = `${person} refused this same call before${said}, and is not asked again in this run; it was repeated ${times(cameBack)}`;
    return denialOf(judged, { reason, cameBack });
  }

  /** Null if nobody has refused the call. */
  inWords(call: SameCall): string | null {
    const before = this.#find(call)?.refused;
    if (before === undefined) return null;
    return `${before.person} refused this same call before; it was repeated ${times(before.cameBack)}`;
  }

  add(call: SameCall, refused: Omit<RefusedCall, 'cameBack'>): void {
    const kept = this.#find(call);
    if (kept === undefined) this.#kept.push({ call, refused: { ...refused, cameBack: 0 } });
    // A later wish to be asked again does not override an earlier refusal.
    else if (kept.refused.askAgain) kept.refused = { ...refused, cameBack: kept.refused.cameBack };
  }

  /** Counted; null if it was never refused. */
  comeBack(call: SameCall): RefusedCall | null {
    const kept = this.#find(call);
    if (kept === undefined) return null;
    kept.refused = { ...kept.refused, cameBack: kept.refused.cameBack + 1 };
    return kept.refused;
  }

  #find(call: SameCall): Entry | undefined {
    return this.#kept.find((kept) => isRefusedWith(kept.call, call));
  }
}

/** Whether a refusal of one call holds for the other. */
export function isRefusedWith(one: SameCall, other: SameCall): boolean {
  return one.tool === other.tool && isSameCall(withoutMade(one), withoutMade(other));
}

function denialOf(
  { decision, policies }: JudgedBefore,
  { reason, cameBack }: { readonly reason: string; readonly cameBack: number },
): Refusal {
  const refusal = refusalOf('denied', decision, { policies, fallback: '' });
  return { ...refusal, reason, ...(cameBack === 0 ? {} : { came_back: cameBack }) };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Ignores facts that other calls change: touching the file does not evade a refusal. */
function withoutMade({ capabilities, ...call }: SameCall): SameCall {
  const plain = capabilities.map((capability): Capability => {
    const facts = Object.entries(capability).filter(([fact]) => !isMadeOf(capability, fact));
    return Object.fromEntries(facts) as unknown as Capability;
  });
  return { ...call, capabilities: plain };
}

/** Whether two calls are equal, with capabilities in any order. */
export function isSameCall(one: SameCall, other: SameCall): boolean {
  return (
    one.tool === other.tool &&
    equalJson(one.chain, other.chain) &&
    equalJson(one.args, other.args) &&
    one.capabilities.every(carriedBy(other.capabilities)) &&
    other.capabilities.every(carriedBy(one.capabilities))
  );
}
