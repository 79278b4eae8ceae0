import { equalJson, isJsonObject, type Json, type JsonObject } from '@ambit/core';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';

/** By key, or with configurations. */
export type WantedToolsets = readonly string[] | JsonObject;

export interface CreatedReferences {
  readonly references: readonly ToolsetReference[];
  readonly warnings: readonly string[];
}

/** The creator's own references, narrowed as requested; or why not. */
export function createdReferences(
  creator: WorkerDefinition,
  wanted: WantedToolsets,
): CreatedReferences | { readonly problem: string } {
  const references: ToolsetReference[] = [];
  const warnings: string[] = [];
  for (const [key, said] of entriesOf(wanted)) {
    const own = creator.toolsets.find((reference) => reference.key === key);
    if (own === undefined) {
      const known = creator.toolsets.map((reference) => reference.key).join(', ');
      return {
        problem: `${creator.name} has no toolset \`${key}\`, so what it creates cannot have it: ${known}`,
      };
    }
    const { approvals, _approval_config: older, ...configuration } = said;
    if (approvals !== undefined || older !== undefined)
      warnings.push(`the approvals for ${key} are left out: a created worker cannot have approvals`);
    const narrowed = narrowedConfiguration(creator, own, configuration);
    if ('problem' in narrowed) return narrowed;
    references.push({
      ...own,
      configuration: narrowed.configuration,
      // The restrictions of the creator's reference apply; its grants do not.
      approvals: own.approvals.filter(({ decision }) => decision !== 'pre_approved'),
    });
  }
  return { references, warnings };
}

export function wantedKeys(wanted: WantedToolsets): readonly string[] {
  return [...new Set(entriesOf(wanted).map(([key]) => key))].sort();
}

function entriesOf(wanted: WantedToolsets): readonly (readonly [string, JsonObject])[] {
  const isList = (value: WantedToolsets): value is readonly string[] => Array.isArray(value);
  if (isList(wanted)) return [...new Set(wanted)].map((key) => [key, {}] as const);
  return Object.entries(wanted).map(([key, said]) => [key, isJsonObject(said) ? said : {}] as const);
}

function narrowedConfiguration(
  creator: WorkerDefinition,
  own: ToolsetReference,
  said: JsonObject,
): { readonly configuration: JsonObject } | { readonly problem: string } {
  if (own.key === 'delegation') return narrowedDelegation(creator, own, said);
  const other = Object.entries(said).find(
    ([name, value]) =>
      !Object.hasOwn(own.configuration, name) || !equalJson(own.configuration[name] as Json, value),
  );
  if (other === undefined) return { configuration: own.configuration };
  return {
    problem: `\`${other[0]}\` of ${own.key} is not what ${creator.name} has: leave it out to have the same`,
  };
}

/** None by default. */
function narrowedDelegation(
  creator: WorkerDefinition,
  { configuration: own }: ToolsetReference,
  said: JsonObject,
): { readonly configuration: JsonObject } | { readonly problem: string } {
  const { allow_workers: wanted = [], ...rest } = said;
  const [odd] = Object.keys(rest);
  if (odd !== undefined) return { problem: `delegation has no \`${odd}\`: it has \`allow_workers\`` };
  if (!Array.isArray(wanted)) return { problem: '`allow_workers` is a list of workers' };
  const may: readonly Json[] = Array.isArray(own.allow_workers) ? own.allow_workers : [];
  const names = wanted as readonly Json[];
  const beyond = names.find((name) => typeof name !== 'string' || !(may.includes('*') || may.includes(name)));
  if (beyond === undefined) return { configuration: { allow_workers: names } };
  return {
    problem: `${creator.name} may not call ${JSON.stringify(beyond)}, so what it creates cannot: ${listed(may)}`,
  };
}

export function listed(names: readonly Json[]): string {
  const said = names.map((name) => (typeof name === 'string' ? name : JSON.stringify(name)));
  return said.join(', ') || 'no worker';
}
