import { type CapabilityDefinition, type FactKind, isWithin } from '@ambit/core';
import { knownFacts } from '@ambit/policy/internal';

export interface ToolsetDefinition {
  readonly name: string;
  readonly tools: readonly { readonly name: string }[];
  readonly capabilities: readonly CapabilityDefinition[];
}

export function definedNames(toolsets: readonly ToolsetDefinition[]): readonly string[] {
  return toolsets.flatMap(({ capabilities }) => capabilities.map(({ name }) => name));
}

/** Null if none is known. */
export function factsFor(
  name: string,
  toolsets: readonly ToolsetDefinition[],
): ReadonlyMap<string, ReadonlySet<FactKind>> | null {
  const own = toolsets
    .flatMap(({ capabilities }) => capabilities)
    .filter((definition) => isWithin(definition.name, name));
  const shared = knownFacts(name);
  if (own.length === 0) return shared;
  const all = new Map<string, ReadonlySet<FactKind>>(shared ?? []);
  for (const { facts } of own)
    for (const [fact, kind] of Object.entries(facts))
      all.set(fact, new Set([...(all.get(fact) ?? []), kind]));
  return all;
}
