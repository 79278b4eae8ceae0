import { isMadeOf } from '../decide/reach/reach.js';
import { type Capability, isCarriedBy } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import { equalJson, type JsonObject } from '../words/json.js';

/** What makes two calls of a run the same: who acts for whom, the tool, its arguments in any order of keys, and what they carry. */
export interface SameCall {
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly capabilities: readonly Capability[];
}

/** A person's no, and how often a model came back with the call. */
export interface RefusedCall {
  readonly person: string;
  readonly note: string | null;
  /** Whether the person wants to be asked when the call comes back. */
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
    // Who did not want to be asked again is not asked because somebody else does.
    else if (kept.refused.askAgain) kept.refused = { ...refused, cameBack: kept.refused.cameBack };
  }

  /** Counts that the call has come back; what is known of it, or null where nobody has refused it. */
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

/** Without what other calls change about the same files: a refusal is not got around by touching them. */
function withoutMade({ capabilities, ...call }: SameCall): SameCall {
  const plain = capabilities.map((capability): Capability => {
    const facts = Object.entries(capability).filter(([fact]) => !isMadeOf(capability, fact));
    return Object.fromEntries(facts) as unknown as Capability;
  });
  return { ...call, capabilities: plain };
}

/** Whether two calls are the same, in whatever order what they carry was reported. */
export function isSameCall(one: SameCall, other: SameCall): boolean {
  return (
    one.tool === other.tool &&
    equalJson(one.chain, other.chain) &&
    equalJson(one.args, other.args) &&
    one.capabilities.every((capability) => isCarriedBy(capability, other.capabilities)) &&
    other.capabilities.every((capability) => isCarriedBy(capability, one.capabilities))
  );
}
