import { builtIn, type Capability, type Truth, toolsetOf } from '@ambit/core';
import { type Acting, isForChain, namesOf } from './candidate.js';
import { type Finding, findingOf, frozenFinding } from './finding.js';
import { type PolicyIndex, placesAbout, placesIn, type RuleIndex } from './policy-index.js';
import type { Rank } from './rank.js';
import { type Concern, settledRank, type Weighing, weigh } from './weigh.js';

/** What all policies have to say about one name. */
export interface Entry {
  /** The rank where no call can change it, `silent` where nothing is said; else `varies`. */
  readonly settled: Rank;
  /** By layer, the built-in one first; null until it is needed. */
  concerns: readonly LayerConcern[] | null;
}

export const silent = -1;
export const varies = 3;

/** What one policy has to say about one name, worked out as far as no call can change it. */
export interface LayerConcern extends Concern {
  readonly weighing: Weighing | null;
  /** Null until somebody wants it explained. */
  finding: Finding | null;
}

/** How many more entries may be kept. */
export interface Room {
  left: number;
}

export interface SituationOptions {
  readonly indexes: readonly PolicyIndex[];
  readonly acting: Acting;
  /** Null where no policy speaks about the tool. */
  readonly tool: string | null;
  readonly room: Room;
}

/** A policy's rules that may hold for a tool and a chain. */
interface Layer {
  readonly index: PolicyIndex;
  readonly rules: readonly RuleIndex[];
  /** Places of the rules about the tool. */
  readonly tools: readonly number[];
}

/** The length of the longest name that an entry is kept for. */
const longestName = 200;

/** What is the same for all calls of one tool by one chain: the rules that can concern a capability, by its name. */
export class Situation {
  /** What policies add to the call, by layer and place. */
  readonly carried: readonly Capability[];
  readonly #acting: Acting;
  readonly #layers: readonly Layer[];
  readonly #room: Room;
  readonly #entries = new Map<string, Entry>();

  constructor({ indexes, acting, tool, room }: SituationOptions) {
    this.#acting = acting;
    this.#room = room;
    const workers = new Set([null, ...[acting.worker, ...acting.chain].flatMap(namesOf)]);
    const keys = tool === null ? [] : [tool, `${toolsetOf(tool)}.*`];
    this.#layers = indexes.map((index) => {
      const rules = [...workers].flatMap((worker) => index.byWorker.get(worker) ?? []);
      return {
        index,
        rules,
        tools: placesIn(rules.flatMap(({ tools }) => keys.map((key) => tools.get(key)))),
      };
    });
    this.carried = indexes.flatMap(({ policy, carried }) =>
      placesIn(keys.map((key) => carried.get(key))).flatMap(
        (place) => policy.carries[place]?.capability ?? [],
      ),
    );
  }

  entryOf(name: string): Entry {
    return this.#entries.get(name) ?? this.#makeEntry(name);
  }

  concernsOf(name: string, entry: Entry): readonly LayerConcern[] {
    entry.concerns ??= this.#concernsAbout(name);
    return entry.concerns;
  }

  #makeEntry(name: string): Entry {
    const concerns = this.#concernsAbout(name);
    const settled = settledBy(concerns);
    // What can be made again is not kept before somebody wants it explained.
    const entry = { settled, concerns: settled === varies ? concerns : null };
    if (name.length <= longestName && this.#room.left > 0) {
      this.#room.left -= 1;
      this.#entries.set(name, entry);
    }
    return entry;
  }

  #concernsAbout(name: string): readonly LayerConcern[] {
    return this.#layers.map((layer) => this.#concern(layer, name));
  }

  #concern({ index, rules, tools }: Layer, name: string): LayerConcern {
    const { worker } = this.#acting;
    const candidates = placesIn([...rules.flatMap((one) => placesAbout(name, one)), ...tools])
      .map((place) => index.candidateAt(place))
      .filter(({ rule }) => isForChain(rule, this.#acting));
    const concern = { index, candidates, worker };
    const isFixed = candidates.every(({ test }) => test === null);
    return { ...concern, weighing: isFixed ? weigh(concern, allTrue(concern)) : null, finding: null };
  }
}

/** The explanation of a concern that no call can change. */
export function fixedFinding(concern: LayerConcern, weighing: Weighing): Finding {
  concern.finding ??= frozenFinding(findingOf(concern, allTrue(concern), weighing));
  return concern.finding;
}

/** The built-in policy is heard only where one of its rules applies. */
export function isHeard(index: PolicyIndex, { isDefault }: { readonly isDefault: boolean }): boolean {
  return index.policy !== builtIn || !isDefault;
}

function settledBy(concerns: readonly LayerConcern[]): Rank {
  let rank = silent;
  for (const { index, weighing } of concerns) {
    if (weighing === null) return varies;
    if (isHeard(index, weighing)) rank = Math.max(rank, settledRank(weighing));
  }
  return rank;
}

function allTrue({ candidates }: Concern): readonly Truth[] {
  return candidates.map(() => true);
}
