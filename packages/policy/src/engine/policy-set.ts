import { type Policy, type Request, toolsetOf } from '@ambit/core';
import type { PolicyIndex } from './policy-index.js';
import { type Room, Situation } from './situation.js';

/** How many names, over all situations, and how many situations are kept ready; beyond it all are made anew. */
const mostEntries = 65_536;
const mostNodes = 4_096;

/** Policies that judge together, and the situations in which they have judged. */
export class PolicySet {
  readonly #policies: readonly Policy[];
  readonly #indexes: readonly PolicyIndex[];
  /** Null if no policy has a rule for a tool. */
  readonly #toolKeys: ReadonlySet<string> | null;
  readonly #hasWorkers: boolean;
  #memory = newMemory();

  /** `indexes` has the built-in policy's first. */
  constructor(policies: readonly Policy[], indexes: readonly PolicyIndex[]) {
    this.#policies = [...policies];
    this.#indexes = indexes;
    const keys = new Set(indexes.flatMap(({ toolKeys }) => [...toolKeys]));
    this.#toolKeys = keys.size === 0 ? null : keys;
    this.#hasWorkers = indexes.some(({ byWorker }) => [...byWorker.keys()].some((worker) => worker !== null));
  }

  consistsOf(policies: readonly Policy[]): boolean {
    if (policies.length !== this.#policies.length) return false;
    for (let at = 0; at < policies.length; at += 1) if (policies[at] !== this.#policies[at]) return false;
    return true;
  }

  situationOf(request: Request): Situation {
    if (this.#memory.room.left <= 0 || this.#memory.nodes > mostNodes) this.#memory = newMemory();
    // Names that no policy distinguishes are not stored.
    const isAlike = this.#toolKeys === null && !this.#hasWorkers;
    const node = isAlike ? this.#memory.root : this.#nodeOf(request);
    node.situation ??= this.#makeSituation(request);
    return node.situation;
  }

  #makeSituation(request: Request): Situation {
    return new Situation({
      indexes: this.#indexes,
      acting: this.#hasWorkers ? request : nobody,
      tool: this.#isSpokenOf(request.tool) ? request.tool : null,
      room: this.#memory.room,
    });
  }

  #nodeOf({ tool, worker, chain }: Request): Node {
    let node = this.#memory.root;
    if (this.#toolKeys !== null) node = this.#next(node, tool);
    if (!this.#hasWorkers) return node;
    node = this.#next(node, worker);
    for (const member of chain) node = this.#next(node, member);
    return node;
  }

  #next(node: Node, step: string): Node {
    const known = node.next.get(step);
    if (known !== undefined) return known;
    const made = newNode();
    node.next.set(step, made);
    this.#memory.nodes += 1;
    return made;
  }

  #isSpokenOf(tool: string): boolean {
    const keys = this.#toolKeys;
    return keys !== null && (keys.has(tool) || keys.has(`${toolsetOf(tool)}.*`));
  }
}

interface Node {
  readonly next: Map<string, Node>;
  situation: Situation | null;
}

interface Memory {
  readonly root: Node;
  readonly room: Room;
  nodes: number;
}

const nobody = { worker: '', chain: [] };

function newMemory(): Memory {
  return { root: newNode(), room: { left: mostEntries }, nodes: 0 };
}

function newNode(): Node {
  return { next: new Map(), situation: null };
}
