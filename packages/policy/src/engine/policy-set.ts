import { type Capability, createdPrefix, type Policy, type Request, toolsetOf } from '@ambit/core';
import { Concern } from './concern.js';
import { type Caller, RuleIndex } from './rule-index.js';

export class PolicySet {
  readonly #policies: readonly Policy[];
  readonly #index: RuleIndex;
  #memory = new Memory();
  #root = new Node();

  constructor(policies: readonly Policy[]) {
    this.#policies = [...policies];
    this.#index = new RuleIndex(policies);
  }

  consistsOf(policies: readonly Policy[]): boolean {
    if (policies.length !== this.#policies.length) return false;
    for (let at = 0; at < policies.length; at += 1) if (policies[at] !== this.#policies[at]) return false;
    return true;
  }

  situationOf(request: Request): Situation {
    if (this.#memory.left <= 0) {
      this.#memory = new Memory();
      this.#root = new Node();
    }
    let node = this.#root;
    if (this.#index.toolKeys.size > 0) node = node.next(request.tool, this.#toolKey, this.#memory);
    if (this.#index.workers.size > 0) {
      node = node.next(request.worker, this.#workerKey, this.#memory);
      for (const worker of request.chain) node = node.next(worker, this.#workerKey, this.#memory);
    }
    node.situation ??= new Situation(this.#index, request, this.#memory);
    return node.situation;
  }

  readonly #toolKey = (tool: string): string | null => {
    const [keys, all] = [this.#index.toolKeys, `${toolsetOf(tool)}.*`];
    return keys.has(tool) ? tool : keys.has(all) ? all : null;
  };

  /** The model chooses NAME in `created:NAME`; rules for `created` are the same for each. */
  readonly #workerKey = (worker: string): string | null => {
    const { workers } = this.#index;
    if (workers.has(worker)) return worker;
    if (!worker.startsWith(createdPrefix)) return null;
    if (workers.has(worker.slice(createdPrefix.length))) return worker;
    return workers.has('created') ? createdPrefix : null;
  };
}

/** Situations that no policy distinguishes share a node. */
class Node {
  situation: Situation | null = null;
  readonly #byStep = new Map<string, Node>();
  readonly #byKey = new Map<string | null, Node>();

  next(step: string, keyOf: (step: string) => string | null, memory: Memory): Node {
    const known = this.#byStep.get(step);
    if (known !== undefined) return known;
    const key = keyOf(step);
    const next = this.#byKey.get(key) ?? new Node();
    this.#byKey.set(key, next);
    this.#byStep.set(step, next);
    memory.left -= 1;
    return next;
  }
}

class Memory {
  /** How many more names and callers may be cached. */
  left = 65_536;
  readonly concerns: Concern[] = [];
  readonly codes = new Map<string, number>();
}

/** The longest name that is cached. */
const longestName = 200;

/** Data for all calls of one tool by one chain of workers: the rules that concern each name. */
export class Situation {
  readonly carried: readonly Capability[];
  readonly #codes = new Map<string, number>();

  constructor(
    readonly index: RuleIndex,
    readonly caller: Caller,
    readonly memory: Memory,
  ) {
    this.carried = index.carriedBy(caller.tool);
  }

  /** A name's rank and its concern in one number. */
  codeOf(name: string): number {
    const known = this.#codes.get(name);
    if (known !== undefined) return known;
    const code = this.#codeFor(this.index.placesOf(name, this.caller));
    if (name.length <= longestName) {
      this.memory.left -= 1;
      this.#codes.set(name, code);
    }
    return code;
  }

  concernOf(code: number): Concern {
    return this.memory.concerns[code >> 3] as Concern;
  }

  /** Names with the same rules share a concern, even for other callers if no rule is for a worker. */
  #codeFor(places: readonly number[]): number {
    const { index, memory, caller } = this;
    const isForAll = places.every((place) => index.ruleAt(place).worker === null);
    const key = `${isForAll ? '' : caller.worker} ${places.join()}`;
    const known = memory.codes.get(key);
    if (known !== undefined) return known;
    const concern = new Concern(index, places, caller.worker);
    const code = (memory.concerns.push(concern) - 1) * 8 + concern.rank + 1;
    memory.codes.set(key, code);
    return code;
  }
}

/** The rank of a concern, without reading the concern. */
export function rankIn(code: number): number {
  return (code & 7) - 1;
}
