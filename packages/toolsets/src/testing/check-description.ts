import {
  type Capability,
  type CapabilityDefinition,
  type FactKind,
  isJsonObject,
  type Json,
  type JsonObject,
  nonCanonicalFacts,
  ownMember,
  type Toolset,
  vocabulary,
} from '@ambit/core';
import { opinionated } from './check-names.js';
import { type Finding, finding } from './finding.js';

export function checkDescription(
  { name: toolset, capabilities: own }: Pick<Toolset, 'name' | 'capabilities'>,
  said: { readonly tool: string; readonly args: JsonObject; readonly capabilities: readonly Capability[] },
): readonly Finding[] {
  const about = { tool: said.tool, args: said.args };
  if (said.capabilities.length === 0)
    return [finding('EMPTY', 'it reports nothing, so a policy judges it as an unknown call', about)];
  return said.capabilities.flatMap((capability) => {
    const definition = [...vocabulary, ...own].find(({ name }) => name === capability.name);
    return [
      ...(opinionated(capability.name)
        ? [finding('NAME_DECIDES', `it reports \`${capability.name}\`, which is an opinion`, about)]
        : []),
      ...(definition === undefined
        ? [
            finding(
              'UNDECLARED_CAPABILITY',
              `it reports \`${capability.name}\`, which is neither in the vocabulary nor defined by ${toolset}`,
              about,
            ),
          ]
        : factProblems(capability, definition).map((message) => finding('UNDECLARED_FACT', message, about))),
      ...nonCanonicalFacts(capability).map((fact) =>
        finding(
          'NOT_CANONICAL',
          `the fact \`${fact}\` of ${capability.name} is not in canonical form, so rules count it as missing: ${JSON.stringify(capability[fact])}`,
          about,
        ),
      ),
    ];
  });
}

function factProblems(capability: Capability, { name, facts }: CapabilityDefinition): readonly string[] {
  return Object.entries(capability).flatMap(([fact, value]) => {
    if (fact === 'name') return [];
    if (fact === 'unknown') return unknownProblems(value, { name, facts });
    const kind = ownMember(facts, fact);
    if (kind === undefined) return [`${name} has no fact \`${fact}\`: ${Object.keys(facts).join(', ')}`];
    return isOfKind(value, kind)
      ? []
      : [`the fact \`${fact}\` of ${name} is a ${kind}, not ${JSON.stringify(value)}`];
  });
}

function unknownProblems(
  value: Json,
  { name, facts }: Pick<CapabilityDefinition, 'name' | 'facts'>,
): readonly string[] {
  if (!isJsonObject(value)) return [`the fact \`unknown\` of ${name} is made by unknown(why)`];
  return Object.keys(value)
    .filter((fact) => !Object.hasOwn(facts, fact))
    .map((fact) => `${name} has no fact \`${fact}\` that could be unknown`);
}

function isOfKind(value: Json, kind: FactKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
  }
}
