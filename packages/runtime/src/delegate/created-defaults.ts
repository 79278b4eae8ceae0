import { equalJson, isJsonObject, type JsonObject, textsOf } from '@ambit/core';
import type { AttachmentBounds, CreatedDefaults } from '../catalogue/configuration-file.js';
import type {
  AttachmentLimits,
  ToolsetReference,
  WorkerDefinition,
} from '../worker-file/worker-definition.js';
import { workerDefaults } from '../worker-file/worker-file.js';
import { type CreatedReferences, createdReferences, listed } from './created-references.js';

export interface Usual extends CreatedReferences {
  readonly model: string | null;
  readonly maxDepth: number;
  readonly attachments: AttachmentLimits;
  /** Null for all. */
  readonly roots: readonly string[] | null;
}

/** What the creator lacks is left out, with a warning; `approvals` too. */
export function usualFor(creator: WorkerDefinition, defaults: CreatedDefaults): Usual {
  const given = Object.entries(defaults.toolsets).map(([key, said]) => usualReference(creator, key, said));
  return {
    references: given.flatMap(({ references }) => references),
    warnings: given.flatMap(({ warnings }) => warnings),
    model: defaults.model,
    maxDepth: Math.min(creator.maxDepth, defaults.maxDepth ?? workerDefaults.maxDepth),
    attachments: narrowedLimits(creator.attachments, defaults.attachments),
    roots: defaults.roots,
  };
}

function usualReference(creator: WorkerDefinition, key: string, said: JsonObject): CreatedReferences {
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

function narrowedLimits(own: AttachmentLimits, bounds: AttachmentBounds | null): AttachmentLimits {
  if (bounds === null) return own;
  return {
    maxCount: Math.min(own.maxCount, bounds.maxCount ?? own.maxCount),
    maxTotalBytes: Math.min(own.maxTotalBytes, bounds.maxTotalBytes ?? own.maxTotalBytes),
    allow: inBoth(own.allow, bounds.allow),
    deny: [...new Set([...own.deny, ...bounds.deny])],
  };
}

/** The suffixes that both lists have; null is every suffix. */
function inBoth(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  const ends = (text: string, suffix: string) => text.toLowerCase().endsWith(suffix.toLowerCase());
  return [
    ...one.filter((suffix) => other.some((end) => ends(suffix, end))),
    ...other.filter((suffix) => one.some((end) => ends(suffix, end) && suffix !== end)),
  ];
}

export interface Comparable {
  readonly model: string | null;
  readonly outputSchema: JsonObject | null;
  readonly toolsets: readonly ToolsetReference[];
  readonly roots: WorkerDefinition['roots'];
}

/** In words. */
export function differencesFrom(
  usual: Omit<Usual, 'roots'> & Pick<Comparable, 'roots'>,
  made: Comparable,
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
  if (key !== 'delegation' || !isJsonObject(configuration)) return key;
  return `${key} (${listed(textsOf(configuration.allow_workers))})`;
}
