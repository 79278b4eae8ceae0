import {
  builtIn,
  type Capability,
  isRestriction,
  namesTool,
  type Policy,
  type Rule,
  rankOf,
  rulesOf,
  toolsetOf,
} from '@ambit/core';
import { type Candidate, candidateOf, type Layer } from './candidate.js';

/** The places of rules, by worker (null for every worker) and subject. */
type Places = Map<string | null, Map<string, number[]>>;

/** The rules of policies that judge together, by subject. */
export class RuleIndex {
  readonly layers: readonly Layer[];
  /** Every key of `tools:` and `carries:`, and every worker with rules. */
  readonly toolKeys = new Set<string>();
  readonly workers = new Set<string>();
  readonly #rules: (readonly [Rule, Layer])[] = [];
  readonly #candidates: (Candidate | undefined)[] = [];
  /** Permissions for a name alone; rules that cover a name and all under it; rules about tools. */
  readonly #exact: Places = new Map();
  readonly #under: Places = new Map();
  readonly #tools: Places = new Map();

  constructor(policies: readonly Policy[]) {
    this.layers = [builtIn, ...policies].map((policy, at) => {
      const layer = { at, policy, defaultRank: rankOf(policy.default.decision) };
      for (const rule of rulesOf(policy)) this.#add(rule, layer);
      for (const { tool } of policy.carries) this.toolKeys.add(tool);
      return layer;
    });
  }

  candidateAt(place: number): Candidate {
    const [rule, layer] = this.#rules[place] as readonly [Rule, Layer];
    const candidate = this.#candidates[place] ?? candidateOf(rule, layer, place);
    this.#candidates[place] = candidate;
    return candidate;
  }

  /** The places of rules for a capability name: by it, or by its ancestors. */
  placesOfName(name: string, workers: readonly (string | null)[]): readonly number[] {
    const names = [name];
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
      names.push(name.slice(0, dot));
    return workers.flatMap((worker) => [
      ...(this.#exact.get(worker)?.get(name) ?? []),
      ...names.flatMap((one) => this.#under.get(worker)?.get(one) ?? []),
    ]);
  }

  placesOfTool(tool: string, workers: readonly (string | null)[]): readonly number[] {
    const keys = [tool, `${toolsetOf(tool)}.*`];
    return workers.flatMap((worker) => keys.flatMap((key) => this.#tools.get(worker)?.get(key) ?? []));
  }

  carriedBy(tool: string): readonly Capability[] {
    const carried = this.layers.flatMap(({ policy }) => policy.carries);
    return carried.filter((one) => namesTool(one.tool, tool)).map(({ capability }) => capability);
  }

  #add(rule: Rule, layer: Layer): void {
    const place = this.#rules.push([rule, layer]) - 1;
    if (rule.worker !== null) this.workers.add(rule.worker);
    if (rule.about === 'tool') {
      this.toolKeys.add(rule.name);
      addPlace(this.#tools, rule, place);
    } else if (rule.about === 'capability' && !isRestriction(rule) && !rule.below)
      addPlace(this.#exact, rule, place);
    else addPlace(this.#under, rule, place);
  }
}

/** A combination stands under each of its names. */
function addPlace(to: Places, rule: Rule, place: number): void {
  const { worker } = rule;
  const ofWorker = to.get(worker) ?? new Map<string, number[]>();
  to.set(worker, ofWorker);
  const keys = rule.about === 'combination' ? new Set(rule.members.map(({ name }) => name)) : [rule.name];
  for (const key of keys) {
    const places = ofWorker.get(key);
    if (places === undefined) ofWorker.set(key, [place]);
    else places.push(place);
  }
}
