import {
  builtIn,
  type Capability,
  canonical,
  decisions,
  type Finding,
  findingOf,
  findingOfSet,
  isUndecided,
  type Judgement,
  membersOf,
  type Rule,
  rankOf,
  settle,
  type Truth,
} from '@ambit/core';
import type { RuleIndex } from './rule-index.js';
import { type CallInHand, isFileSet, type RuleTest } from './rule-test.js';

/** The judgements of all policies about one capability, computed once and shared. */
export interface Outcome {
  readonly findings: readonly Finding[];
  /** The rank of the strictest finding, and its text. */
  readonly rank: number;
  readonly reason: Words | null;
  readonly instead: Words | null;
  /** The rank if an answered question counts as permitted; -1 if no policy judges the capability. */
  readonly settled: number;
  /** How many policies judge the capability. */
  readonly count: number;
  /** Their judgements for the first capability of a call, then those for the second, and so on. */
  readonly ready: Judgement[];
}

/** The decision of a rule, and its first place. */
interface Words {
  readonly text: string;
  readonly place: number;
}

/** The rank of a concern whose outcome depends on the call, above those of decisions. */
export const varies = decisions.length;

/** Limits of the cache: outcomes of a concern, and positions of capabilities. */
const [mostOutcomes, mostReady] = [256, 8];

/** The rules of all policies that concern a name, for one worker. */
export class Concern {
  /** The settled rank for every call, or `varies`. */
  readonly rank: number;
  /** The strictest possible rank. */
  readonly most: number;
  /** Null for a rule that always applies. */
  readonly #tests: readonly (RuleTest | null)[];
  #fixed: Outcome | null = null;
  #kept: Map<number, { readonly outcome: Outcome; readonly truths: readonly Truth[] }> | null = null;

  constructor(
    readonly index: RuleIndex,
    readonly places: readonly number[],
    readonly worker: string,
  ) {
    const rules = [
      ...index.policies.map((policy) => policy.default),
      ...places.map((at) => index.ruleAt(at)),
    ];
    this.most = rules.reduce((most, { decision }) => Math.max(most, rankOf(decision)), 0);
    const tests = places.map((place) => index.testAt(place));
    const isFixed = tests.every((test) => test === null);
    this.#tests = isFixed ? [] : tests;
    // An outcome takes memory, so it is computed again when a decision is explained.
    this.rank = isFixed ? this.#find(places.map(() => true)).settled : varies;
  }

  /** The outcome for every capability without a file set; null if it varies. */
  get always(): Outcome | null {
    if (this.rank !== varies) this.#fixed ??= this.#find(this.places.map(() => true));
    return this.#fixed;
  }

  about(capability: Capability, call: CallInHand): Outcome {
    return isFileSet(capability)
      ? this.#aboutSet(membersOf(capability), call)
      : this.#weigh(canonical(capability), call, null);
  }

  /** The outcome for all members of a file set. Tests that do not read the path run once. */
  #aboutSet(members: readonly Capability[], call: CallInHand): Outcome {
    const all = members.map(canonical) as [Capability];
    const same = this.#tests.map((test) => (test?.readsPath === false ? test.truth(all[0], call) : null));
    const outcomes = all.map((member) => this.#weigh(member, call, same));
    const of = (layer: number) => outcomes.map(({ findings }) => findings[layer] as Finding);
    return this.#outcomeOf(this.index.policies.map((_, layer) => findingOfSet(of(layer), members)));
  }

  #weigh(capability: Capability, call: CallInHand, same: readonly (Truth | null)[] | null): Outcome {
    if (this.always !== null) return this.always;
    // oxlint-disable-next-line unicorn/no-new-array
    const truths = new Array<Truth>(this.#tests.length);
    // Different results may have the same code: the code only finds candidates for a comparison.
    let code = 0;
    for (let at = 0; at < truths.length; at += 1) {
      const test = this.#tests[at] ?? null;
      const truth = test === null || (same?.[at] ?? test.truth(capability, call));
      truths[at] = truth;
      code = code * 3 + (truth === false ? 0 : truth === true ? 1 : 2);
    }
    this.#kept ??= new Map();
    const known = this.#kept.get(code);
    if (known !== undefined && areSame(truths, known.truths)) return known.outcome;
    const outcome = this.#find(truths);
    if (this.#kept.size >= mostOutcomes) this.#kept.clear();
    this.#kept.set(code, { outcome, truths });
    return outcome;
  }

  #find(truths: readonly Truth[]): Outcome {
    const { index, places, worker } = this;
    return this.#outcomeOf(
      index.policies.map((policy, layer) => {
        const own = places.flatMap((place, at) =>
          index.layerAt(place) === layer ? [{ rule: index.ruleAt(place), truth: truths[at] as Truth }] : [],
        );
        return findingOf(policy, own, { index: 0, worker });
      }),
    );
  }

  #outcomeOf(findings: readonly Finding[]): Outcome {
    const isHeard = ({ judgement }: Finding, at: number) =>
      this.index.policies[at] !== builtIn || !judgement.default;
    const judgements = findings.filter(isHeard).map(({ judgement }) => freezeDeep(judgement));
    const ranks = findings.map(({ judgement }) => rankOf(judgement.decision));
    const rank = Math.max(...ranks);
    const deciding = findings.flatMap((finding, at) => (ranks[at] === rank ? finding.deciding : []));
    return {
      findings,
      rank,
      settled: judgements.length === 0 ? -1 : rankOf(settle(judgements)),
      reason: this.#firstWords('reason', deciding),
      instead: this.#firstWords('instead', deciding),
      count: judgements.length,
      ready: judgements,
    };
  }

  #firstWords(key: 'reason' | 'instead', rules: readonly Rule[]): Words | null {
    const words = rules.flatMap((rule) => {
      const text = rule[key];
      return text === null ? [] : [{ text, place: this.index.placeOf(rule) }];
    });
    return words.reduce<Words | null>(earlier, null);
  }
}

/** The judgement of a policy, by its place among those that judge, about the capability at this index. */
export function judgementAt({ ready, count }: Outcome, place: number, index: number): Judgement {
  const known = ready[index * count + place];
  if (known !== undefined) return known;
  const made = Object.freeze({ ...(ready[place] as Judgement), capability: index });
  if (index < mostReady) ready[index * count + place] = made;
  return made;
}

export function earlier(one: Words | null, other: Words | null): Words | null {
  return one === null || (other !== null && other.place < one.place) ? other : one;
}

/** Freezes shared values against changes. Functions keep their state. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.freeze(value);
  for (const key in value) freezeDeep(value[key]);
  return value;
}

function areSame(truths: readonly Truth[], others: readonly Truth[]): boolean {
  for (let at = 0; at < truths.length; at += 1) {
    const [truth, other] = [truths[at] as Truth, others[at] as Truth];
    if (truth === other) continue;
    if (!isUndecided(truth) || !isUndecided(other) || truth.undecided !== other.undecided) return false;
  }
  return true;
}
