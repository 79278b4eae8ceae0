import { type Capability, isUndecided, membersOf, replacesDefault, type Truth } from '@ambit/core';
import type { CallInHand } from './call-in-hand.js';
import type { Candidate, Layer } from './candidate.js';
import { type Finding, findingOf, type Outcome, ofMember, outcomeOf } from './outcome.js';

/** How many outcomes are kept for one set of rules, and for how many tests at most: their results make a number. */
const [mostOutcomes, mostTests] = [256, 32];

/** The rules of all layers that can concern a capability of a name, for who acts. */
export class Concern {
  readonly #parts: readonly Part[];
  /** The parts that are heard, the strictest first. */
  readonly #settling: readonly Part[];
  /** The candidates whose results vary. */
  readonly #varying: readonly Candidate[];
  readonly #worker: string;
  readonly #outcomes = new Map<number, { readonly outcome: Outcome; readonly truths: readonly Truth[] }>();
  /** For every call; null if it depends on the call. */
  readonly fixed: Outcome | null;

  constructor(layers: readonly Layer[], candidates: readonly Candidate[], worker: string) {
    this.#worker = worker;
    this.#varying = candidates.filter(({ test }) => test !== null);
    this.#parts = layers.map((layer) =>
      partOf(
        layer,
        candidates.filter((candidate) => candidate.layer === layer),
        worker,
      ),
    );
    this.#settling = this.#parts.filter(({ most }) => most >= 0).sort((one, other) => other.most - one.most);
    this.fixed = this.#varying.length > 0 ? null : this.#outcome([]);
  }

  /** The outcome for a capability without a file set. */
  judge(capability: Capability, call: CallInHand): Outcome {
    const truths: Truth[] = [];
    for (const { test } of this.#varying) truths.push((test as Test)(capability, call));
    return this.#outcomeFor(truths);
  }

  /** Each policy's first of the strictest members. Tests that do not read the path are made once. */
  judgeSet(capability: Capability, call: CallInHand): Outcome {
    const members = membersOf(capability);
    let truths: readonly Truth[] = [];
    const tops: { finding: Finding; at: number; count: number }[] = [];
    members.forEach((member, at) => {
      truths = this.#varying.map(({ test, readsPath }, place) =>
        at > 0 && !readsPath ? (truths[place] as Truth) : (test as Test)(member, call),
      );
      this.#outcomeFor(truths).all.forEach((finding, layer) => {
        const top = tops[layer];
        if (top === undefined || finding.strictness > top.finding.strictness)
          tops[layer] = { finding, at, count: 1 };
        else if (finding.strictness === top.finding.strictness) top.count += 1;
      });
    });
    return outcomeOf(
      tops.map(({ finding, at, count }) => {
        const { path } = members[at] as Capability;
        return ofMember(finding, { path: typeof path === 'string' ? path : null, count, of: members.length });
      }),
    );
  }

  /** The settled rank, or `least` if it is not above that: layers and tests that cannot change it are left out. */
  settle(capability: Capability, call: CallInHand, least: number): number {
    let top = least;
    for (const part of this.#settling) {
      if (part.most <= top) break;
      const rank = settlePart(part, capability, call);
      if (rank > top) top = rank;
      if (top === 2) return top;
    }
    return top;
  }

  #outcomeFor(truths: readonly Truth[]): Outcome {
    if (truths.length > mostTests) return this.#outcome(truths);
    let code = 0;
    let isUnclear = false;
    for (const truth of truths) {
      code = code * 3 + (truth === false ? 0 : truth === true ? 1 : 2);
      if (typeof truth === 'object') isUnclear = true;
    }
    const known = this.#outcomes.get(code);
    if (known !== undefined && (!isUnclear || haveSameReasons(truths, known.truths))) return known.outcome;
    const outcome = this.#outcome(truths);
    if (this.#outcomes.size >= mostOutcomes) this.#outcomes.clear();
    this.#outcomes.set(code, { outcome, truths });
    return outcome;
  }

  #outcome(truths: readonly Truth[]): Outcome {
    const results = new Map(this.#varying.map((candidate, at) => [candidate, truths[at] as Truth]));
    return outcomeOf(
      this.#parts.map(({ layer, candidates }) => {
        const own = candidates.map((candidate) => results.get(candidate) ?? true);
        return findingOf(layer, candidates, { truths: own, worker: this.#worker });
      }),
    );
  }
}

type Test = NonNullable<Candidate['test']>;

/** Results of one code differ at most in their reasons. */
function haveSameReasons(truths: readonly Truth[], others: readonly Truth[]): boolean {
  return truths.every((truth, at) => {
    const other = others[at] as Truth;
    return (
      truth === other || (isUndecided(truth) && isUndecided(other) && truth.undecided === other.undecided)
    );
  });
}

/** One layer's rules, prepared so that the strictest are tried first. */
interface Part {
  readonly layer: Layer;
  /** In order. */
  readonly candidates: readonly Candidate[];
  readonly restrictions: readonly Candidate[];
  /** Permissions that replace the default. */
  readonly permissions: readonly Candidate[];
  readonly grants: readonly Candidate[];
  /** The strictest possible rank; -1 where the layer is not heard. */
  readonly most: number;
  readonly worker: string;
}

function partOf(layer: Layer, candidates: readonly Candidate[], worker: string): Part {
  const heard = candidates.filter(({ rule }) => !rule.observe).sort((one, other) => other.rank - one.rank);
  const isSilent = layer.at === 0 && heard.length === 0;
  return {
    layer,
    candidates,
    worker,
    restrictions: heard.filter(({ rank }) => rank > 0),
    permissions: heard.filter(({ rank, rule }) => rank === 0 && replacesDefault(rule, worker)),
    grants: heard.filter(({ isGrant }) => isGrant),
    most: isSilent ? -1 : Math.max(layer.defaultRank, ...heard.map(({ rank }) => rank)),
  };
}

/** The settled rank of core's judgement. */
function settlePart(
  { layer, restrictions, permissions, grants, worker }: Part,
  capability: Capability,
  call: CallInHand,
): number {
  const { defaultRank, policy } = layer;
  const truthOf = ({ test }: Candidate) => test === null || test(capability, call);
  let [rank, isDefault, wantsPerson] = [0, true, false];
  for (const candidate of restrictions) {
    const truth = truthOf(candidate);
    if (truth === false) continue;
    const asks = candidate.asks && truth !== true;
    if (candidate.rank === 2 && !asks) return 2;
    rank = 1;
    if (asks || candidate.rule.answer === 'person') wantsPerson = true;
    if (truth === true && replacesDefault(candidate.rule, worker)) isDefault = false;
  }
  if (isDefault && defaultRank > 0 && !permissions.some((candidate) => truthOf(candidate) === true)) {
    if (defaultRank > rank) wantsPerson = false;
    rank = Math.max(rank, defaultRank);
    if (policy.default.answer === 'person') wantsPerson = true;
  }
  if (rank !== 1 || wantsPerson) return rank;
  return grants.some((candidate) => truthOf(candidate) === true) ? 0 : 1;
}
