import {
  always,
  carriedCapabilities,
  isWithin,
  namesTool,
  type Policy,
  type Request,
  type Rule,
} from '@ambit/core';
import { keysOf } from '../condition/expression.js';
import { partsBehind, type RuleParts } from './rule-condition.js';

/** The keys that applicable rules read: `capability.path`, `args.to`. Null if a rule was made in code. */
export function keysRead(policies: readonly Policy[], request: Request): ReadonlySet<string> | null {
  const call = { names: namesOn(policies, request), tool: request.tool };
  const rules = policies.flatMap((policy) => policy.rules).filter((rule) => mayConcern(rule, call));
  const parts = partsIn(rules);
  return parts && new Set(parts.flatMap(keysIn));
}

/** What all rules read, for any call, besides caller and tool; null if a rule was made in code. No `facts`: any. */
export function readsOf(policies: readonly Policy[]) {
  const rules = policies.flatMap((policy) => policy.rules);
  const parts = partsIn(rules);
  if (parts === null) return null;
  const keys = parts.flatMap(keysIn);
  return {
    facts: keys.includes('capability') ? null : new Set(keys.flatMap(factIn)),
    args: keys.some((key) => key === 'args' || key.startsWith('args.')),
    history: rules.some((rule) => rule.about === 'combination' && rule.within === 'run'),
    time: parts.some(({ until }) => until !== null),
  };
}

/** The conditions of rules and of their members; null if one was made in code. */
function partsIn(rules: readonly Rule[]): readonly RuleParts[] | null {
  const found: RuleParts[] = [];
  for (const rule of rules)
    for (const { condition } of [rule, ...(rule.about === 'combination' ? rule.members : [])]) {
      if (condition === always) continue;
      const parts = partsBehind(condition);
      if (parts === null) return null;
      found.push(parts);
    }
  return found;
}

function factIn(key: string): readonly string[] {
  const [root, fact] = key.split('.');
  return root === 'capability' && fact !== undefined ? [fact] : [];
}

function namesOn(policies: readonly Policy[], { capabilities, tool }: Request): readonly string[] {
  const carried = policies.flatMap((policy) => carriedCapabilities(policy, tool));
  return [...capabilities, ...carried].map(({ name }) => name);
}

function mayConcern(rule: Rule, call: { readonly names: readonly string[]; readonly tool: string }): boolean {
  if (rule.about === 'tool') return namesTool(rule.name, call.tool);
  if (rule.about === 'capability') return call.names.some((name) => isWithin(name, rule.name));
  return true;
}

function keysIn({ match, except, when }: RuleParts): readonly string[] {
  const facts = [...(match ?? []), ...(except ?? [])].map(({ fact }) => `capability.${fact}`);
  return [...facts, ...(when === null ? [] : keysOf(when.expression).map(String))];
}
