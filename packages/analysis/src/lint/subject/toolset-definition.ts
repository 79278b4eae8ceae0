import { type CapabilityDefinition, type FactKind, isWithin } from '@ambit/core';
import { knownFacts } from '@ambit/policy/internal';

/** What a toolset says of itself: its tools, and the capability names of its own that they report. */
export interface ToolsetDefinition {
  readonly name: string;
  readonly tools: readonly { readonly name: string }[];
  readonly capabilities: readonly CapabilityDefinition[];
}

/** The capability names that these toolsets define. */
export function definedNames(toolsets: readonly ToolsetDefinition[]): readonly string[] {
  return toolsets.flatMap(({ capabilities }) => capabilities.map(({ name }) => name));
}

/** The full names of their tools. */
export function definedTools(toolsets: readonly ToolsetDefinition[]): readonly string[] {
  return toolsets.flatMap(({ name, tools }) => tools.map((tool) => `${name}.${tool.name}`));
}

/** The facts of all capabilities, shared or defined, that a name can stand for; null where none is known. */
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
