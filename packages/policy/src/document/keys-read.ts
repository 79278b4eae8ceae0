import {
  always,
  type Condition,
  isWithin,
  namesTool,
  type Policy,
  type Request,
  type Rule,
} from '@ambit/core';
import { readsPath } from '../condition/evaluate.js';
import { keysOf } from '../condition/parts-of-expression.js';
import { partsBehind, type RuleParts } from './rule-condition.js';

/** The keys that applicable rules read: `capability.path`, `args.to`. Null if a rule was made in code. */
export function keysRead(policies: readonly Policy[], request: Request): ReadonlySet<string> | null {
  const keys = new Set<string>();
  const names = namesOn(policies, request);
  for (const { rules } of policies) {
    for (const rule of rules.filter((one) => mayConcern(one, { names, tool: request.tool }))) {
      for (const condition of [rule.condition, ...membersOf(rule)]) {
        if (condition === always) continue;
        const parts = partsBehind(condition);
        if (parts === null) return null;
        for (const key of keysIn(parts)) keys.add(key);
      }
    }
  }
  return keys;
}

/** What all rules read, for any call; null if a rule was made in code. */
export function readsOf(policies: readonly Policy[]): PolicyReads | null {
  const found: RuleParts[] = [];
  let history = false;
  for (const { rules } of policies)
    for (const rule of rules) {
      if (rule.about === 'combination' && rule.within === 'run') history = true;
      for (const condition of [rule.condition, ...membersOf(rule)]) {
        if (condition === always) continue;
        const parts = partsBehind(condition);
        if (parts === null) return null;
        found.push(parts);
      }
    }
  const keys = found.flatMap(keysIn);
  return {
    facts: keys.includes('capability') ? null : new Set(keys.flatMap(factIn)),
    args: keys.some((key) => key === 'args' || key.startsWith('args.')),
    history,
    time: found.some(({ until }) => until !== null),
  };
}

export interface PolicyReads {
  /** Null means any fact. */
  readonly facts: ReadonlySet<string> | null;
  readonly args: boolean;
  readonly history: boolean;
  readonly time: boolean;
}

function factIn(key: string): readonly string[] {
  const [root, fact] = key.split('.');
  return root === 'capability' && fact !== undefined ? [fact] : [];
  /** Whether the history of the run is read. */
}
/** Whether the time of the call is read. */

function namesOn(policies: readonly Policy[], { capabilities, tool }: Request): readonly string[] {
  const carried = policies.flatMap(({ carries }) => carries.filter((one) => namesTool(one.tool, tool)));
  return [...capabilities, ...carried.map(({ capability }) => capability)].map(({ name }) => name);
}

function mayConcern(rule: Rule, call: { readonly names: readonly string[]; readonly tool: string }): boolean {
  if (rule.about === 'tool') return namesTool(rule.name, call.tool);
  if (rule.about === 'capability') return call.names.some((name) => isWithin(name, rule.name));
  return true;
}

function membersOf(rule: Rule) {
  return rule.about === 'combination' ? rule.members.map(({ condition }) => condition) : [];
}

/** Whether a condition may read the path of a capability; one that was made in code may read anything. */
export function mayReadPath(condition: Condition<never>): boolean {
  if (condition === always) return false;
  const parts = partsBehind(condition);
  return parts === null || keysIn(parts).some(readsPath);
}

function keysIn({ match, except, when }: RuleParts): readonly string[] {
  const facts = [...(match ?? []), ...(except ?? [])].map(({ fact }) => `capability.${fact}`);
  return [...facts, ...(when === null ? [] : keysOf(when.expression).map(String))];
}
