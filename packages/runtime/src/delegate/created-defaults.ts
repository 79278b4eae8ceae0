import { equalJson, type Json, type JsonObject, objectOf, plainText, textsOf } from '@ambit/core';
import type { MapRead } from '@ambit/policy/yaml';
import { commonSuffixes } from '@ambit/toolsets';
import type { CreatedDefaults } from '../catalogue/configuration.js';
import type {
  AttachmentLimits,
  ToolsetReference,
  WorkerDefinition,
} from '../worker-file/worker-definition.js';
import { workerDefaults } from '../worker-file/worker-file.js';
import type { attachmentKeys } from '../worker-file/worker-reading.js';
import type { CreatedContent } from './created-text.js';

interface Usual extends CreatedReferences {
  readonly model: string | null;
  readonly maxDepth: number;
  readonly attachments: AttachmentLimits;
  /** Null for all. */
  readonly roots: readonly string[] | null;
}

/** The defaults for workers of a creator. What the creator lacks is left out, with a warning; `approvals` too. */
export function defaultsFor(creator: WorkerDefinition, defaults: CreatedDefaults): Usual {
  const { toolsets = [], model = null, max_depth: depth = workerDefaults.maxDepth, roots = null } = defaults;
  const given = toolsets.map(([key, said]) => defaultReference(creator, key, said));
  return {
    references: given.flatMap(({ references }) => references),
    warnings: given.flatMap(({ warnings }) => warnings),
    model,
    maxDepth: Math.min(creator.maxDepth, depth),
    attachments: narrowedLimits(creator.attachments, defaults.attachments?.values ?? {}),
    roots,
  };
}

function defaultReference(creator: WorkerDefinition, key: string, said: JsonObject): CreatedReferences {
  const own = creator.toolsets.find((reference) => reference.key === key);
  const given = createdReferences(creator, { [key]: own === undefined ? said : withinOwn(own, said) });
  if ('problem' in given)
    return { references: [], warnings: [`${key} of the defaults is left out: ${given.problem}`] };
  return given;
}

function withinOwn({ key, configuration }: ToolsetReference, said: JsonObject): JsonObject {
  const { allow_workers: wanted } = said;
  const may = textsOf(configuration.allow_workers);
  if (key !== 'delegation' || !Array.isArray(wanted) || may.includes('*')) return said;
  const names = textsOf(wanted);
  return { ...said, allow_workers: names.includes('*') ? may : names.filter((name) => may.includes(name)) };
}

type AttachmentBounds = Partial<MapRead<typeof attachmentKeys>['values']>;

function narrowedLimits(own: AttachmentLimits, bounds: AttachmentBounds): AttachmentLimits {
  return {
    max_count: Math.min(own.max_count, bounds.max_count ?? own.max_count),
    max_total_bytes: Math.min(own.max_total_bytes, bounds.max_total_bytes ?? own.max_total_bytes),
    allow: commonSuffixes(own.allow, bounds.allow),
    deny: [...new Set([...own.deny, ...(bounds.deny ?? [])])],
  };
}

/** How a worker differs from the defaults, in words. */
export function differencesFrom(
  usual: Omit<Usual, 'roots'> & Pick<CreatedContent, 'roots'>,
  made: CreatedContent,
): readonly string[] {
  const keysOf = (list: readonly ToolsetReference[]) => list.map(({ key }) => key);
  const more = made.toolsets.filter(({ key }) => !keysOf(usual.references).includes(key));
  const less = usual.references.filter(({ key }) => !keysOf(made.toolsets).includes(key));
  const other = made.toolsets.flatMap((reference) => {
    const before = usual.references.find(({ key }) => key === reference.key);
    return before === undefined || equalJson(before.configuration, reference.configuration)
      ? []
      : [`${usedAs(reference)} instead of ${usedAs(before)}`];
  });
  const moreRoots = made.roots.filter(({ name }) => !usual.roots.some((root) => root.name === name));
  const lessRoots = usual.roots.filter(({ name }) => !made.roots.some((root) => root.name === name));
  return [
    ...more.map((reference) => `also the toolset ${usedAs(reference)}`),
    ...less.map((reference) => `not the toolset ${usedAs(reference)}`),
    ...other,
    ...moreRoots.map(({ name, mode }) => `also the root \`${name}\` (${mode})`),
    ...lessRoots.map(({ name }) => `not the root \`${name}\``),
    ...(made.outputSchema === null ? [] : ['an answer of its own schema instead of text']),
    ...(made.model === usual.model
      ? []
      : [`${modelInWords(made.model)} instead of ${modelInWords(usual.model)}`]),
  ];
}

function modelInWords(model: string | null): string {
  return model === null ? 'the model of its caller' : `the model ${model}`;
}

export function usedAs({ key, configuration }: Pick<ToolsetReference, 'key' | 'configuration'>): string {
  if (key !== 'delegation') return key;
  return `${key} (${joinedNames(textsOf(configuration.allow_workers))})`;
}

/** By key, or with configurations. */
export type WantedToolsets = readonly string[] | JsonObject;

interface CreatedReferences {
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
        problem: `${creator.name} has no toolset \`${key}\`, so workers that it creates cannot have it: ${known}`,
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
  return Object.entries(wanted).map(([key, said]) => [key, objectOf(said)] as const);
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
    problem: `\`${other[0]}\` of ${own.key} differs from that of ${creator.name}: leave it out to get the same`,
  };
}

/** Without `allow_workers`, no worker may be called. */
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
    problem: `${creator.name} may not call ${JSON.stringify(beyond)}, so workers that it creates cannot either: ${joinedNames(may)}`,
  };
}

function joinedNames(names: readonly Json[]): string {
  return names.map(plainText).join(', ') || 'no worker';
}
