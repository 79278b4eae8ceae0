import {
  asksIfUndecided,
  builtIn,
  type Capability,
  canonical,
  type Finding,
  fileSetOf,
  findingOf,
  findingOfSet,
  type Judgement,
  membersOf,
  type Policy,
  type Rule,
  rankOf,
  replacesDefault,
  settle,
  type Truth,
} from '@ambit/core';
import { freezeDeep, type PlacedRule } from './rule-index.js';
import { type CallInHand, certain, type RuleTest, testOf } from './rule-test.js';

/** The caches of policies that judge together. */
export class Memory {
  /** How many more names, situations and branches may be cached. */
  left = 65_536;
  /** By the places of their rules. An object keeps those of single rules as a list, which takes less memory than a map. */
  readonly concerns: Record<string, Known | undefined> = Object.create(null);

  constructor(readonly policies: readonly Policy[]) {}
}

/** For every call, the settled rank, which takes least memory, or the outcome; the concern if it varies. */
export type Known = number | Outcome | Concern;

/** How many branches are cached for a concern. */
const mostBranches = 4_096;

/** The rules of all policies that concern a name, for one worker. */
export class Concern {
  /** The outcome for every call; null if it varies. */
  readonly always: Outcome | null;
  readonly #tests: readonly RuleTest[];
  /** The strictest first; null if a rule does not have one rank. */
  readonly #checks: readonly Check[] | null;
  #root: Branch | null = null;
  #branches = 0;

  constructor(
    readonly memory: Memory,
    readonly rules: readonly PlacedRule[],
    readonly worker: string,
  ) {
    this.#tests = rules.map(({ rule }) => testOf(rule));
    this.always = this.#tests.every((test) => test === certain) ? this.#find([]) : null;
    const isRanked = rules.every(({ rule, layer }) => hasOneRank(rule, memory.policies[layer] as Policy));
    this.#checks = this.always === null && isRanked ? this.#allChecks() : null;
  }

  #allChecks(): readonly Check[] {
    const heard = this.rules.filter(({ rule }) => !rule.observe);
    const defaults = this.memory.policies.map((policy, at): Check => {
      const own = heard.filter(({ rule, layer }) => layer === at && rule.decision === 'pre_approved');
      const tests = own.flatMap(({ rule }) => (replacesDefault(rule, this.worker) ? testOf(rule) : []));
      const test: RuleTest = (one, call) => !tests.some((permits) => permits(one, call) === true);
      return { rank: rankOf(policy.default.decision), test };
    });
    const rules = heard.map(({ rule }): Check => ({ rank: rankOf(rule.decision), test: testOf(rule) }));
    return [...defaults, ...rules].filter(({ rank }) => rank > 0).sort((one, other) => other.rank - one.rank);
  }

  /** The settled rank if it is above `top`, otherwise `top`. The first check that is not false is enough. */
  above(top: number, capability: Capability, call: CallInHand): number {
    if (this.#checks === null || isFileSet(capability))
      return Math.max(top, this.about(capability, call).settled);
    const least = Math.max(top, 0);
    let seen: Capability | null = null;
    for (const { rank, test } of this.#checks) {
      if (rank <= least) break;
      seen ??= canonical(capability);
      if (test(seen, call) !== false) return rank;
    }
    return least;
  }

  about(capability: Capability, call: CallInHand): Outcome {
    if (isFileSet(capability)) return this.#aboutSet(membersOf(capability), call);
    return this.#weigh(canonical(capability), call);
  }

  #aboutSet(members: readonly Capability[], call: CallInHand): Outcome {
    const outcomes = members.map((member) => this.#weigh(canonical(member), call));
    const of = (layer: number) => outcomes.map(({ findings }) => findings[layer] as Finding);
    const findings = this.memory.policies.map((_, layer) => findingOfSet(of(layer), members));
    return new Outcome(this, findings);
  }

  #weigh(capability: Capability, call: CallInHand): Outcome {
    if (this.#branches > mostBranches) [this.#root, this.#branches] = [null, 0];
    this.#root ??= new Branch();
    const truths = this.#tests.map((test) => test(capability, call));
    let branch = this.#root;
    for (const truth of truths) branch = branch.next(truth) ?? this.#grow(branch, truth);
    branch.outcome ??= this.#find(truths);
    return branch.outcome;
  }

  #grow(branch: Branch, truth: Truth): Branch {
    const next = new Branch();
    if (truth === true) branch.whenTrue = next;
    else if (truth === false) branch.whenFalse = next;
    else branch.undecided = (branch.undecided ?? new Map()).set(truth.undecided, next);
    this.#branches += 1;
    this.memory.left -= 1;
    return next;
  }

  /** Rules without a truth always apply. */
  #find(truths: readonly Truth[]): Outcome {
    const weighed = this.memory.policies.map((): { readonly rule: Rule; readonly truth: Truth }[] => []);
    for (const [at, { rule, layer }] of this.rules.entries())
      weighed[layer]?.push({ rule, truth: truths[at] ?? true });
    const first = { index: 0, worker: this.worker };
    const findings = this.memory.policies.map((policy, at) => findingOf(policy, weighed[at] ?? [], first));
    return new Outcome(this, findings);
  }
}

/** Otherwise it may answer a question, or its test would run twice, for two ranks. */
function hasOneRank(rule: Rule, policy: Policy): boolean {
  if (rule.decision === 'pre_approved') return rule.about !== 'tool';
  return !asksIfUndecided(rule) && rankOf(rule.decision) >= rankOf(policy.default.decision);
}

/** The decision has at least this rank, unless the test is false. */
interface Check {
  readonly rank: number;
  readonly test: RuleTest;
}

function isFileSet({ path }: Capability): boolean {
  return typeof path === 'object' && fileSetOf(path) !== null;
}

/** Calls with equal truths of the first rules; the next truth leads on. */
class Branch {
  outcome: Outcome | null = null;
  whenTrue: Branch | undefined;
  whenFalse: Branch | undefined;
  undecided: Map<string, Branch> | undefined;

  next(truth: Truth): Branch | undefined {
    if (truth === true) return this.whenTrue;
    return truth === false ? this.whenFalse : this.undecided?.get(truth.undecided);
  }
}

/** Positions in a call for which judgements are cached. */
const mostReady = 8;

/** The judgements of all policies about one capability, computed once and shared. */
export class Outcome {
  /** The rank of the strictest finding, and its first rules with a text. */
  readonly rank: number;
  readonly reason: PlacedRule | null;
  readonly instead: PlacedRule | null;
  /** The rank if an answered question counts as permitted; -1 if no policy judges the capability. */
  readonly settled: number;
  /** How many policies judge the capability. */
  readonly count: number;
  /** Their judgements for the first capability of a call, then those for the second, and so on. */
  readonly #ready: Judgement[];

  constructor(
    readonly concern: Concern,
    readonly findings: readonly Finding[],
  ) {
    const ranks = findings.map(({ judgement }) => rankOf(judgement.decision));
    this.rank = Math.max(...ranks);
    const deciding = new Set(findings.flatMap((one, at) => (ranks[at] === this.rank ? one.deciding : [])));
    const first = (isFirst: (rule: Rule) => boolean) =>
      concern.rules.find(({ rule }) => deciding.has(rule) && isFirst(rule)) ?? null;
    this.reason = first(({ reason }) => reason !== null);
    this.instead = first(({ instead }) => instead !== null);
    const judgements = findings
      .map(({ judgement }) => judgement)
      .filter((judgement, at) => concern.memory.policies[at] !== builtIn || !judgement.default);
    this.settled = judgements.length === 0 ? -1 : rankOf(settle(judgements));
    this.count = judgements.length;
    this.#ready = judgements.map(freezeDeep);
  }

  /** This outcome, except about a file set, whose judgements name a member. */
  about(capability: Capability, call: CallInHand): Outcome {
    return isFileSet(capability) ? this.concern.about(capability, call) : this;
  }

  /** The judgement of a policy, by its place among those that judge, about the capability at this index. */
  judgementAt(place: number, index: number): Judgement {
    const known = this.#ready[index * this.count + place];
    if (known !== undefined) return known;
    const made = Object.freeze({ ...(this.#ready[place] as Judgement), capability: index });
    if (index < mostReady) this.#ready[index * this.count + place] = made;
    return made;
  }
}
