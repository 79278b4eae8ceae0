import { isCapabilityName, isSimpleName, isToolName, isWithin, toolsetOf } from '@ambit/core';
import { keysOf, textsIn } from '@ambit/policy/internal';
import type { AnalysedPolicy } from './subject-policy.js';
import { firstFree } from './witness/chain-classes.js';

/** A name, or all unmentioned names under one (null: under none). */
export interface NameClass {
  readonly name: string;
  readonly isFresh: boolean;
  readonly under: string | null;
}

/** Mentioned names, and a class for the others under each. */
export function nameClasses(policies: readonly AnalysedPolicy[]): readonly NameClass[] {
  const mentioned = new Set<string>();
  for (const { policy, rules } of policies) {
    for (const { capability } of policy.carries) mentioned.add(capability.name);
    for (const { rule, members, when } of rules) {
      if (rule.about === 'capability') mentioned.add(rule.name);
      for (const member of members) mentioned.add(member.name);
      if (when !== null && keysOf(when.expression).includes('capability.name'))
        for (const text of textsIn(when.expression)) if (isCapabilityName(text)) mentioned.add(text);
    }
  }
  const names = [...mentioned].sort();
  const fresh = (under: string | null): NameClass => {
    const prefix = under === null ? '' : `${under}.`;
    const name = firstFree(
      (suffix) => `${prefix}${suffix}`,
      (candidate) => names.some((known) => isWithin(known, candidate)),
    );
    return { name, isFresh: true, under };
  };
  return [
    ...names.flatMap((name) => {
      const other = fresh(name);
      const exact = { name, isFresh: false, under: null };
      return isCapabilityName(other.name) ? [exact, other] : [exact];
    }),
    fresh(null),
  ];
}

/** Mentioned tools, another one of each toolset, and another tool. */
export function toolClasses(policies: readonly AnalysedPolicy[]): readonly string[] {
  const keys = new Set<string>();
  const toolsets = new Set<string>();
  for (const { policy, rules } of policies) {
    for (const { tool } of policy.carries) keys.add(tool);
    if (Array.isArray(policy.admits.workers))
      for (const tool of policy.admits.workers) keys.add(tool as string);
    for (const { rule, when } of rules) {
      if (rule.about === 'tool') keys.add(rule.name);
      if (when === null || !keysOf(when.expression).some((key) => key === 'tool' || key === 'toolset'))
        continue;
      for (const text of textsIn(when.expression)) {
        if (isToolName(text)) keys.add(text);
        if (isSimpleName(text)) toolsets.add(text);
      }
    }
  }
  for (const key of keys) toolsets.add(toolsetOf(key));
  const tools = [...keys].filter((key) => !key.endsWith('.*'));
  const other = (toolset: string) =>
    firstFree(
      (suffix) => `${toolset}.${suffix}`,
      (name) => keys.has(name),
    );
  const toolset = firstFree(
    (suffix) => suffix,
    (name) => toolsets.has(name),
  );
  return [`${toolset}.tool`, ...tools, ...[...toolsets].map(other)];
}
