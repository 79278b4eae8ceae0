import { type Capability, carriedCapabilities, type Policy, type Request, remembered } from '@ambit/core';
import { Concern, type Known, Memory, Outcome } from './concern.js';
import { RuleIndex } from './rule-index.js';

/** Policies that judge together, and a bounded cache of the rules for each call. */
export class PolicySet {
  readonly #index: RuleIndex;
  #root: Situation;

  constructor(policies: readonly Policy[]) {
    this.#index = new RuleIndex(policies);
    this.#root = new Situation(this.#index);
  }

  consistsOf(policies: readonly Policy[]): boolean {
    const own = this.#index.policies;
    return policies.length === own.length - 1 && policies.every((policy, at) => policy === own[at + 1]);
  }

  /** Calls that no policy distinguishes share a situation. */
  situationOf({ tool, worker, chain }: Request): Situation {
    const index = this.#index;
    if (this.#root.memory.left <= 0) this.#root = new Situation(index);
    let situation = this.#root;
    if (index.tools.size > 0) situation = situation.next(index.toolKey(tool));
    if (index.workers.size === 0) return situation;
    situation = situation.next(index.workerKey(worker));
    for (const member of chain) {
      const key = index.workerKey(member);
      if (key !== null) situation = situation.next(key);
    }
    return situation;
  }
}

/** The longest name that is cached. */
const longestName = 200;

/** Data for all calls of one tool by one chain of workers, or for the first part of such chains. */
export class Situation {
  readonly #next = new Map<string | null, Situation>();
  readonly #byName = new Map<string, Known>();
  #carried: readonly Capability[] | null = null;

  constructor(
    readonly index: RuleIndex,
    readonly memory = new Memory(index.policies),
  ) {}

  next(key: string | null): Situation {
    return remembered(this.#next, key, () => {
      this.memory.left -= 1;
      return new Situation(this.index, this.memory);
    });
  }

  /** With those that policies add. */
  capabilitiesOf({ tool, capabilities }: Request): readonly Capability[] {
    this.#carried ??= this.index.policies.flatMap((policy) => carriedCapabilities(policy, tool));
    return this.#carried.length === 0 ? capabilities : [...capabilities, ...this.#carried];
  }

  /** The settled rank for every call with this name; a concern if it varies. */
  rankOf(name: string, request: Request): number | Concern {
    const known = this.#byName.get(name) ?? this.#find(name, request, 'rank');
    return known instanceof Outcome ? known.settled : known;
  }

  /** The outcome for every call with this name; a concern if it varies. */
  outcomeOf(name: string, request: Request): Outcome | Concern {
    const known = this.#byName.get(name);
    return typeof known === 'object' ? known : (this.#find(name, request, 'outcome') as Outcome | Concern);
  }

  /** Names with the same rules share a concern, even for other callers if no rule is for a worker. */
  #find(name: string, request: Request, wanted: 'rank' | 'outcome'): Known {
    const { index, memory } = this;
    const rules = index.rulesFor(name, request);
    const places = rules.map(({ place }) => place).join();
    const key = rules.some(({ rule }) => rule.worker !== null) ? `${request.worker} ${places}` : places;
    let known = memory.concerns[key];
    if (known === undefined || (typeof known === 'number' && wanted === 'outcome')) {
      const concern = new Concern(memory, rules, request.worker);
      known = (wanted === 'rank' ? concern.always?.settled : concern.always) ?? concern;
      memory.concerns[key] = known;
    }
    memory.left -= 1;
    if (name.length <= longestName) this.#byName.set(name, known);
    return known;
  }
}
