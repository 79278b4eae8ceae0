import { isJsonObject, isSimpleName, type JsonObject } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import {
  decodeSource,
  diagnosticsOf,
  type Entry,
  expectKind,
  expectKindOrEmpty,
  helpFor,
  nearest,
  parseYaml,
  quote,
  type Reporting,
  readKeys,
  readText,
  reportMissing,
  toJson,
} from '@ambit/policy/yaml';
import type { Prices } from '../budget/prices.js';
import { builtInToolsets } from '../worker-file/toolset-names.js';
import type { AttachmentLimits } from '../worker-file/worker-definition.js';
import { attachmentKeys, readModel } from '../worker-file/worker-file.js';
import { readLimit, readSuffixes } from '../worker-file/worker-reading.js';

/** What `ambit.yaml` says. */
export interface Configuration {
  readonly created: CreatedDefaults;
  /** Null without prices. */
  readonly prices: Prices | null;
}

/** The defaults of created workers, limited by their creator. */
export interface CreatedDefaults {
  readonly model: string | null;
  readonly maxDepth: number | null;
  /** References by key. */
  readonly toolsets: Readonly<Record<string, JsonObject>>;
  /** Which of its creator's roots a new worker gets, by their names; all where null. */
  readonly roots: readonly string[] | null;
  readonly attachments: AttachmentBounds | null;
}

/** A missing limit does not limit. */
export interface AttachmentBounds {
  readonly maxCount: number | null;
  readonly maxTotalBytes: number | null;
  readonly allow: AttachmentLimits['allow'];
  readonly deny: AttachmentLimits['deny'];
}

export const configurationKeys = ['created', 'prices'] as const;
export const createdKeys = ['model', 'max_depth', 'toolsets', 'roots', 'attachments'] as const;
export const pricesKeys = ['currency', 'models'] as const;

export interface ReadConfiguration {
  /** Null where anything is wrong. */
  readonly configuration: Configuration | null;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Whether it is a policy with this name: a policy is never read only because of its place, so its content
   * is ignored.
   */
  readonly isPolicy: boolean;
}

/** The configuration of a project, or everything that is wrong with it. */
export function readConfiguration(file: string, bytes: Uint8Array): ReadConfiguration {
  const { source, problems } = decodeSource(file, bytes);
  const reporting: Reporting = { problems };
  const root = problems.isEmpty ? parseYaml(source.text, problems) : null;
  const isPolicy =
    root?.kind === 'map' &&
    ['version', 'default'].every((key) => root.entries.some((entry) => entry.key === key));
  if (isPolicy && problems.isEmpty) return { configuration: null, diagnostics: [], isPolicy };
  const map = root === null ? undefined : expectKind(root, ['map'], reporting);
  const entries = map === undefined ? {} : readKeys(map, configurationKeys, reporting);
  const configuration = {
    created: readCreated(entries.created, reporting),
    prices: readPrices(entries.prices, reporting),
  };
  return {
    configuration: problems.isEmpty ? configuration : null,
    diagnostics: diagnosticsOf(problems, source),
    isPolicy: false,
  };
}

function readCreated(entry: Entry | undefined, reporting: Reporting): CreatedDefaults {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reporting);
  const entries = map === undefined ? {} : readKeys(map, createdKeys, reporting);
  return {
    model: readModel(entries.model, reporting),
    maxDepth: readLimit(entries.max_depth, reporting) ?? null,
    toolsets: readToolsets(entries.toolsets, reporting),
    roots: readRoots(entries.roots, reporting),
    attachments: readAttachments(entries.attachments, reporting),
  };
}

function readToolsets(entry: Entry | undefined, reporting: Reporting): CreatedDefaults['toolsets'] {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reporting);
  const all = (map?.entries ?? []).map(({ key, keySpan, value }) => {
    const near = nearest(key, builtInToolsets);
    // Workers, instances and modules have names that are known when a worker has them.
    if (isSimpleName(key) && !builtInToolsets.includes(key) && near !== null)
      reporting.problems.add('UNKNOWN_TOOLSET', keySpan, {
        message: `${quote(key)} is no built-in toolset`,
        help: helpFor(key, builtInToolsets),
      });
    const said = expectKindOrEmpty(value, ['map'], reporting);
    const json = said === undefined ? {} : toJson(said);
    return [key, isJsonObject(json) ? json : {}] as const;
  });
  return Object.fromEntries(all);
}

function readRoots(entry: Entry | undefined, reporting: Reporting): readonly string[] | null {
  const list = entry === undefined ? undefined : expectKindOrEmpty(entry.value, ['list'], reporting);
  if (list === undefined) return null;
  return list.items.flatMap((item) => {
    const name = expectKind(item, ['text'], reporting);
    if (name === undefined) return [];
    if (isSimpleName(name.value)) return [name.value];
    reporting.problems.add('BAD_VALUE', name.span, {
      message: `${quote(name.value)} is not a name for a root`,
      help: 'the name of a root of the creator, without a folder: `input`',
    });
    return [];
  });
}

function readAttachments(entry: Entry | undefined, reporting: Reporting): AttachmentBounds | null {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reporting);
  if (map === undefined) return null;
  const entries = readKeys(map, attachmentKeys, reporting);
  return {
    maxCount: readLimit(entries.max_count, reporting, { least: 0 }) ?? null,
    maxTotalBytes: readLimit(entries.max_total_bytes, reporting) ?? null,
    allow: readSuffixes(entries.allow, reporting),
    deny: readSuffixes(entries.deny, reporting) ?? [],
  };
}

function readPrices(entry: Entry | undefined, reporting: Reporting): Prices | null {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reporting);
  if (map === undefined) return null;
  const { currency, models } = readKeys(map, pricesKeys, reporting);
  if (currency === undefined)
    reportMissing('currency', map, { reading: reporting, help: '`currency: USD`: one for all prices' });
  if (models === undefined)
    reportMissing('models', map, {
      reading: reporting,
      help: '`models: { "anthropic:claude-…": { input: 3, output: 15 } }`, of a million tokens',
    });
  const name = readText(currency, reporting);
  if (currency !== undefined && name !== undefined && !/^[A-Z]{3}$/.test(name))
    reporting.problems.add('BAD_VALUE', currency.value.span, {
      message: `${quote(name)} is not a currency`,
      help: 'three capital letters: `USD`',
    });
  const list = models === undefined ? undefined : expectKind(models.value, ['map'], reporting);
  return {
    currency: name ?? '',
    models: (list?.entries ?? []).map((model) => readPrice(model, reporting)),
  };
}

function readPrice({ key, keySpan, value }: Entry, reporting: Reporting): Prices['models'][number] {
  if (!/^(anthropic|script):./.test(key) && !key.startsWith('*'))
    reporting.problems.add('BAD_MODEL', keySpan, {
      message: `${quote(key)} means no model`,
      help: 'the name of models as workers state them, `*` for any text: `anthropic:claude-*`',
    });
  const map = expectKind(value, ['map'], reporting);
  const entries = map === undefined ? {} : readKeys(map, ['input', 'output'], reporting);
  const price = (side: 'input' | 'output') => {
    const entry = entries[side];
    if (entry === undefined) {
      if (map !== undefined)
        reportMissing(side, map, { reading: reporting, help: `\`${side}: 3\`, of a million tokens` });
      return 0;
    }
    const number = expectKind(entry.value, ['number'], reporting);
    if (number === undefined) return 0;
    if (Number.isFinite(number.value) && number.value >= 0 && number.value <= 1_000_000) return number.value;
    reporting.problems.add('BAD_VALUE', number.span, {
      message: `${number.value} is not a price`,
      help: 'of a million tokens, from 0 to a million',
    });
    return 0;
  };
  return { glob: key, input: price('input'), output: price('output') };
}
