import {
  type Acting,
  builtIn,
  type Capability,
  isForChain,
  restrictableAs,
  type Truth,
  toolsetOf,
} from '@ambit/core';
import { type Finding, findingOf, frozenFinding } from './finding.js';
import { type PolicyIndex, placesAbout, placesIn, type RuleIndex } from './policy-index.js';
import type { Rank } from './rank.js';
import { type Concern, settledRank, type Weighing, weigh } from './weigh.js';

/** Ranks for a name without rules, and for one that depends on the call. */
export const silent = -1;
export const varies = 3;

/** The part of one policy's result for one name that no call can change. */
export interface LayerConcern extends Concern {
  readonly weighing: Weighing | null;
}

/** How many more names may be kept. */
export interface Room {
  left: number;
}

export interface SituationOptions {
  readonly indexes: readonly PolicyIndex[];
  readonly acting: Acting;
  /** Null if no policy has a rule for the tool. */
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

/** The length of the longest name that is kept. */
const longestName = 200;

/** The constant part of all calls of one tool by one chain: possible rules, by name. */
export class Situation {
  /** The policies' additions to the call, by layer and place. */
  readonly carried: readonly Capability[];
  readonly #acting: Acting;
  readonly #layers: readonly Layer[];
  readonly #room: Room;
  /** By name, the constant part: the rank, and its explanation. Separate, so a rank needs one lookup. */
  readonly #ranks = new Map<string, Rank>();
  readonly #findings = new Map<string, readonly Finding[] | null>();
  readonly #concerns = new Map<string, readonly LayerConcern[]>();

  constructor({ indexes, acting, tool, room }: SituationOptions) {
    this.#acting = acting;
    this.#room = room;
    const workers = new Set([null, ...[acting.worker, ...acting.chain].flatMap(restrictableAs)]);
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

  /** `silent`, `varies`, or the rank that every call has. */
  rankOf(name: string): Rank {
    return this.#ranks.get(name) ?? this.#keep(this.#ranks, name, settledBy(this.#concernsAbout(name)));
  }

  /** The judgements, by layer; null if they depend on the call. */
  findingsOf(name: string): readonly Finding[] | null {
    const known = this.#findings.get(name);
    return known === undefined ? this.#keep(this.#findings, name, this.#findingsAbout(name)) : known;
  }

  /** By layer, the built-in one first. */
  concernsOf(name: string): readonly LayerConcern[] {
    return this.#concerns.get(name) ?? this.#keep(this.#concerns, name, this.#concernsAbout(name));
  }

  #keep<Kept>(among: Map<string, Kept>, name: string, kept: Kept): Kept {
    if (name.length <= longestName && this.#room.left > 0) {
      this.#room.left -= 1;
      among.set(name, kept);
    }
    return kept;
  }

  #findingsAbout(name: string): readonly Finding[] | null {
    const findings: Finding[] = [];
    for (const concern of this.#concernsAbout(name)) {
      if (concern.weighing === null) return null;
      if (isHeard(concern.index, concern.weighing))
        findings.push(frozenFinding(findingOf(concern, allTrue(concern), concern.weighing)));
    }
    return findings;
  }

  #concernsAbout(name: string): readonly LayerConcern[] {
    return this.#layers.map((layer, at) => this.#concern(layer, name, at));
  }

  #concern({ index, rules, tools }: Layer, name: string, layer: number): LayerConcern {
    const { worker } = this.#acting;
    const candidates = placesIn([...rules.flatMap((one) => placesAbout(name, one)), ...tools])
      .map((place) => index.candidateAt(place))
      .filter(({ rule }) => isForChain(rule, this.#acting));
    const concern = { layer, index, candidates, worker };
    const isFixed = candidates.every(({ test }) => test === null);
    return { ...concern, weighing: isFixed ? weigh(concern, allTrue(concern)) : null };
  }
}

/** The built-in policy appears only if one of its rules applies. */
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
