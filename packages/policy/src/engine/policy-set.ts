import { createdPrefix, type Policy, type Request, toolsetOf } from '@ambit/core';
import { RuleIndex } from './rule-index.js';
import { type Room, Situation } from './situation.js';

/** How many names, over all situations, and how many tools and chains are kept; beyond it all are made anew. */
const mostEntries = 65_536;
const mostNodes = 4_096;

/** Policies that judge together, and the situations in which they have judged. */
export class PolicySet {
  readonly #policies: readonly Policy[];
  readonly #index: RuleIndex;
  readonly #hasTools: boolean;
  readonly #hasWorkers: boolean;
  #memory = newMemory();

  constructor(policies: readonly Policy[]) {
    this.#policies = [...policies];
    this.#index = new RuleIndex(policies);
    this.#hasTools = this.#index.toolKeys.size > 0;
    this.#hasWorkers = this.#index.workers.size > 0;
  }

  consistsOf(policies: readonly Policy[]): boolean {
    if (policies.length !== this.#policies.length) return false;
    for (let at = 0; at < policies.length; at += 1) if (policies[at] !== this.#policies[at]) return false;
    return true;
  }

  situationOf(request: Request): Situation {
    if (this.#memory.room.left <= 0 || this.#memory.nodes > mostNodes) this.#memory = newMemory();
    let node = this.#memory.root;
    if (this.#hasTools) node = this.#next(node, request.tool, this.#toolKey);
    if (this.#hasWorkers) {
      node = this.#next(node, request.worker, this.#workerKey);
      for (const worker of request.chain) node = this.#next(node, worker, this.#workerKey);
    }
    node.situation ??= new Situation(this.#index, request, this.#memory.room);
    return node.situation;
  }

  /** What no policy distinguishes shares a node. */
  #next(node: Node, step: string, keyOf: (step: string) => string | null): Node {
    const known = node.next.get(step);
    if (known !== undefined) return known;
    const key = keyOf(step);
    const next = node.byKey.get(key) ?? newNode();
    node.byKey.set(key, next);
    node.next.set(step, next);
    this.#memory.nodes += 1;
    return next;
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

interface Node {
  readonly next: Map<string, Node>;
  readonly byKey: Map<string | null, Node>;
  situation: Situation | null;
}

function newMemory(): { readonly root: Node; readonly room: Room; nodes: number } {
  return { root: newNode(), room: { left: mostEntries, shared: new Map() }, nodes: 0 };
}

function newNode(): Node {
  return { next: new Map(), byKey: new Map(), situation: null };
}
