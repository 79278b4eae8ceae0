import { type Acting, type Capability, isForChain, restrictableAs } from '@ambit/core';
import { Concern } from './concern.js';
import type { Outcome } from './outcome.js';
import type { RuleIndex } from './rule-index.js';

/** What `rankOf` gives for a name: a rank of core's, or one of these. */
export const [varies, silent] = [3, 4];

/** How many names may be kept in all situations together. */
export interface Room {
  left: number;
  /** Those of rules for every worker, by the places of the rules: the same for every chain. */
  readonly shared: Map<string, Concern>;
}

/** The length of the longest name that is kept. */
const longestName = 200;

/** What is the same for all calls of one tool by one chain: the rules that can concern a name. */
export class Situation {
  /** The policies' additions to the call, by layer and place. */
  readonly carried: readonly Capability[];
  readonly #index: RuleIndex;
  readonly #acting: Acting;
  readonly #tools: readonly number[];
  readonly #workers: readonly (string | null)[];
  readonly #room: Room;
  readonly #concerns: Concern[] = [];
  readonly #fixed: (Outcome | null)[] = [];
  /** By the places of the rules: names with the same rules share a concern. */
  readonly #byPlaces = new Map<string, number>();
  /** By name: the rank of every call, and the place among the concerns, in one number. */
  readonly #codes = new Map<string, number>();

  constructor(index: RuleIndex, call: Acting & { readonly tool: string }, room: Room) {
    this.#index = index;
    this.#acting = call;
    this.#room = room;
    this.#workers = [null, ...new Set([call.worker, ...call.chain].flatMap(restrictableAs))];
    this.#tools = index.placesOfTool(call.tool, this.#workers);
    this.carried = index.carriedBy(call.tool);
  }

  /** The rank in the lowest three bits, the place of the concern above. */
  codeOf(name: string): number {
    return this.#codes.get(name) ?? this.#learn(name);
  }

  /** Null if it depends on the call. */
  fixedOf(code: number): Outcome | null {
    return this.#fixed[code >> 3] as Outcome | null;
  }

  concernOf(code: number): Concern {
    return this.#concerns[code >> 3] as Concern;
  }

  #learn(name: string): number {
    const places = [...new Set([...this.#index.placesOfName(name, this.#workers), ...this.#tools])];
    const code = this.#codeFor(places.sort((one, other) => one - other));
    if (name.length <= longestName && this.#room.left > 0) {
      this.#room.left -= 1;
      this.#codes.set(name, code);
    }
    return code;
  }

  #codeFor(places: readonly number[]): number {
    const key = places.join();
    const known = this.#byPlaces.get(key);
    if (known !== undefined) return known;
    const candidates = places
      .map((place) => this.#index.candidateAt(place))
      .filter(({ rule }) => isForChain(rule, this.#acting));
    const isForAll = candidates.every(({ rule }) => rule.worker === null);
    const { layers } = this.#index;
    const kept = isForAll ? this.#room.shared.get(key) : undefined;
    const concern = kept ?? new Concern(layers, candidates, this.#acting.worker);
    if (isForAll) this.#room.shared.set(key, concern);
    const { fixed } = concern;
    const rank = fixed === null ? varies : fixed.settled === -1 ? silent : fixed.settled;
    const code = this.#concerns.length * 8 + rank;
    this.#concerns.push(concern);
    this.#fixed.push(fixed);
    this.#byPlaces.set(key, code);
    return code;
  }
}
