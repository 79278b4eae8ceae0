import {
  always,
  builtIn,
  type Capability,
  carriedCapabilities,
  concerns,
  type Policy,
  type Request,
  type Rule,
  restrictableAs,
  rulesOf,
  toolsetOf,
} from '@ambit/core';
import { compileRule, type RuleTest } from './rule-test.js';

export type Caller = Pick<Request, 'tool' | 'worker' | 'chain'>;

/** The rules of policies that judge together, by the names that they concern. */
export class RuleIndex {
  /** The built-in policy is the first. */
  readonly policies: readonly Policy[];
  /** Every key of `tools:` and `carries:`, and every worker with rules. */
  readonly toolKeys = new Set<string>();
  readonly workers = new Set<string>();
  readonly #rules: Rule[] = [];
  readonly #layers: number[] = [];
  readonly #tests: (RuleTest | undefined)[] = [];
  readonly #bySubject = new Map<string, number[]>();

  constructor(policies: readonly Policy[]) {
    this.policies = [builtIn, ...policies];
    this.policies.forEach((policy, layer) => {
      for (const { tool } of policy.carries) this.toolKeys.add(tool);
      for (const rule of rulesOf(policy)) this.#add(rule, layer);
    });
  }

  /** Candidates in order; `concerns` filters them. */
  placesOf(name: string, caller: Caller): readonly number[] {
    const acting = [caller.worker, ...caller.chain].flatMap(restrictableAs);
    const workers = [null, ...acting.filter((worker) => this.workers.has(worker))];
    const subjects = [name, caller.tool, `${toolsetOf(caller.tool)}.*`];
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
      subjects.push(name.slice(0, dot));
    const found = new Set<number>();
    for (const worker of workers)
      for (const subject of subjects)
        for (const place of this.#bySubject.get(keyOf(worker, subject)) ?? [])
          if (concerns(this.ruleAt(place), name, caller)) found.add(place);
    return [...found].sort((one, other) => one - other);
  }

  ruleAt(place: number): Rule {
    return this.#rules[place] as Rule;
  }

  /** The first place of a rule, which two policies may have. */
  placeOf(rule: Rule): number {
    return this.#rules.indexOf(rule);
  }

  layerAt(place: number): number {
    return this.#layers[place] as number;
  }

  /** Null for an unconditional rule. */
  testAt(place: number): RuleTest | null {
    const rule = this.ruleAt(place);
    if (rule.about !== 'combination' && rule.condition === always) return null;
    this.#tests[place] ??= compileRule(rule);
    return this.#tests[place];
  }

  carriedBy(tool: string): readonly Capability[] {
    return this.policies.flatMap((policy) => carriedCapabilities(policy, tool));
  }

  #add(rule: Rule, layer: number): void {
    const place = this.#rules.push(rule) - 1;
    this.#layers.push(layer);
    if (rule.worker !== null) this.workers.add(rule.worker);
    if (rule.about === 'tool') this.toolKeys.add(rule.name);
    const names = rule.about === 'combination' ? rule.members.map((member) => member.name) : [rule.name];
    for (const name of names) {
      const key = keyOf(rule.worker, name);
      const places = this.#bySubject.get(key);
      if (places === undefined) this.#bySubject.set(key, [place]);
      else places.push(place);
    }
  }
}

function keyOf(worker: string | null, subject: string): string {
  return worker === null ? subject : `${worker} ${subject}`;
}
