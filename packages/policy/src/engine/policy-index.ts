import { isRestriction, type Policy, type Rule, rankOf, rulesOf } from '@ambit/core';
import { type Candidate, candidateOf } from './candidate.js';
import { freezePolicy } from './freeze-policy.js';
import type { Rank } from './rank.js';

/** Where in a policy: one place, or several in ascending order. Most names have one rule. */
export type Places = number | number[];

/** The places of rules for one worker, or for every worker, by subject. */
export interface RuleIndex {
  /** Permissions for a name alone. */
  readonly exact: Map<string, Places>;
  /** Rules that cover a name and all under it: restrictions, permissions with `below`, and combinations. */
  readonly under: Map<string, Places>;
  /** The length of the longest name in `under`. */
  longest: number;
  /** By `toolset.tool` or `toolset.*`. */
  readonly tools: Map<string, Places>;
}

/** A policy, read once. */
export interface PolicyIndex {
  readonly policy: Policy;
  readonly defaultRank: Rank;
  /** Null: for everybody. */
  readonly byWorker: ReadonlyMap<string | null, RuleIndex>;
  /** The places in `carries`, by tool. */
  readonly carried: ReadonlyMap<string, Places>;
  /** Every key of `tools:` and `carries:`. */
  readonly toolKeys: ReadonlySet<string>;
  /** The rule at a place, ready to be weighed. */
  readonly candidateAt: (place: number) => Candidate;
}

/** Freezes the policy. */
export function indexPolicy(policy: Policy): PolicyIndex {
  freezePolicy(policy);
  const byWorker = new Map<string | null, RuleIndex>();
  const carried = new Map<string, Places>();
  const toolKeys = new Set<string>();
  const rules = rulesOf(policy);
  rules.forEach((rule, place) => {
    let index = byWorker.get(rule.worker);
    if (index === undefined) {
      index = { exact: new Map(), under: new Map(), longest: 0, tools: new Map() };
      byWorker.set(rule.worker, index);
    }
    addRule(index, rule, place);
    if (rule.about === 'tool') toolKeys.add(rule.name);
  });
  policy.carries.forEach(({ tool }, place) => {
    addPlace(carried, tool, place);
    toolKeys.add(tool);
  });
  const candidates = new Map<number, Candidate>();
  return {
    policy,
    defaultRank: rankOf(policy.default.decision),
    byWorker,
    carried,
    toolKeys,
    candidateAt: (place) => {
      let candidate = candidates.get(place);
      if (candidate === undefined) {
        candidate = candidateOf(rules[place] as Rule, place);
        candidates.set(place, candidate);
      }
      return candidate;
    },
  };
}

/** The places of rules for a capability name: by it, or by its ancestors. */
export function placesAbout(
  name: string,
  { exact, under, longest }: RuleIndex,
): readonly (Places | undefined)[] {
  const found = [exact.get(name), under.get(name)];
  for (let dot = name.indexOf('.'); dot !== -1 && dot <= longest; dot = name.indexOf('.', dot + 1))
    found.push(under.get(name.slice(0, dot)));
  return found;
}

/** Every place once, in order. */
export function placesIn(lists: readonly (Places | undefined)[]): readonly number[] {
  const all = lists.flatMap((list) => list ?? []);
  return all.length < 2 ? all : [...new Set(all)].sort((one, other) => one - other);
}

function addRule(index: RuleIndex, rule: Rule, place: number): void {
  if (rule.about === 'tool') addPlace(index.tools, rule.name, place);
  else if (rule.about === 'capability' && !isRestriction(rule) && !rule.below)
    addPlace(index.exact, rule.name, place);
  else {
    const names = rule.about === 'capability' ? [rule.name] : rule.members.map(({ name }) => name);
    for (const name of new Set(names)) {
      addPlace(index.under, name, place);
      index.longest = Math.max(index.longest, name.length);
    }
  }
}

function addPlace(to: Map<string, Places>, key: string, place: number): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, place);
  else if (typeof known === 'number') to.set(key, [known, place]);
  else known.push(place);
}
