import { type Capability, type Policy, type Request, remembered } from '@ambit/core';
import { Concern, Memory } from './concern.js';
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
  readonly #byName = new Map<string, Concern>();
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
    this.#carried ??= this.index.carriedBy(tool);
    return this.#carried.length === 0 ? capabilities : [...capabilities, ...this.#carried];
  }

  concernOf(name: string, request: Request): Concern {
    return this.#byName.get(name) ?? this.#findConcern(name, request);
  }

  /** Names with the same rules share a concern, even for other callers if no rule is for a worker. */
  #findConcern(name: string, request: Request): Concern {
    const { index, memory } = this;
    const rules = index.rulesFor(name, request);
    const isForWorker = rules.some(({ rule }) => rule.worker !== null);
    const places = rules.length === 1 ? (rules[0]?.place ?? 0) : rules.map(({ place }) => place).join();
    const key = isForWorker ? `${request.worker} ${places}` : places;
    const make = () => new Concern(memory, rules, request.worker);
    const concern = remembered(memory.concerns, key, make);
    memory.left -= 1;
    if (name.length <= longestName) this.#byName.set(name, concern);
    return concern;
  }
}
