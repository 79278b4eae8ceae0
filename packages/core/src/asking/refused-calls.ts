import { isMadeOf } from '../decide/reach/reach.js';
import { type Capability, isCarriedBy } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import { equalJson, type JsonObject } from '../words/json.js';

/** The identity of a call in a run: chain, tool, arguments in any order of keys, and capabilities. */
export interface SameCall {
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly capabilities: readonly Capability[];
}

/** A person's refusal, and how often the model repeated the call. */
export interface RefusedCall {
  readonly person: string;
  readonly note: string | null;
  /** Whether the person chose to be asked when the call comes back. */
  readonly askAgain: boolean;
  readonly cameBack: number;
}

interface Kept {
  readonly call: SameCall;
  refused: RefusedCall;
}

/** The calls of a run that people have refused. It only grows, and an entry only becomes stricter. */
export class RefusedCalls {
  readonly #kept: Kept[] = [];

  of(call: SameCall): RefusedCall | null {
    return this.#find(call)?.refused ?? null;
  }

  add(call: SameCall, refused: Omit<RefusedCall, 'cameBack'>): void {
    const kept = this.#find(call);
    if (kept === undefined) this.#kept.push({ call, refused: { ...refused, cameBack: 0 } });
    // A later wish to be asked again does not override an earlier refusal.
    else if (kept.refused.askAgain) kept.refused = { ...refused, cameBack: kept.refused.cameBack };
  }

  /** Counts a repetition of the call and returns its refusal; null if it was never refused. */
  comeBack(call: SameCall): RefusedCall | null {
    const kept = this.#find(call);
    if (kept === undefined) return null;
    kept.refused = { ...kept.refused, cameBack: kept.refused.cameBack + 1 };
    return kept.refused;
  }

  #find(call: SameCall): Kept | undefined {
    const wanted = withoutMade(call);
    return this.#kept.find((kept) => isSameCall(withoutMade(kept.call), wanted));
  }
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
    one.capabilities.every((capability) => isCarriedBy(capability, other.capabilities)) &&
    other.capabilities.every((capability) => isCarriedBy(capability, one.capabilities))
  );
}
