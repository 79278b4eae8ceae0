import { hash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere, readRegular } from '@ambit/audit';
import { builtInToolsets, isSimpleName, type JsonObject } from '@ambit/core';
import { causeOf } from '@ambit/policy';
import * as yaml from '@ambit/policy/yaml';
import type { Prices } from '../budget/totals.js';
import { asProblem, fileProblem, type Problem } from '../host/problem.js';
import { attachmentKeys, limit, model, textOf } from '../worker-file/worker-reading.js';

interface Configuration {
  readonly created: CreatedDefaults;
  /** Null without prices. */
  readonly prices: Prices | null;
}

const createdToolsets = yaml.record<readonly [string, JsonObject], yaml.Reporting>(null, {
  schema: { type: 'object' },
  read: (entry, at) => {
    reportToolset(entry, at);
    return [[entry.key, yaml.valueIn(yaml.object, entry, at) ?? {}]];
  },
});

const rootName = textOf(/^[a-z][a-z0-9_-]{0,99}$/, {
  what: 'a name for a root',
  help: 'the name of a root of the creator, without a folder: `input`',
});

const created = yaml.map({
  model: { is: model },
  max_depth: { is: limit() },
  toolsets: { is: createdToolsets, about: 'references of a new worker, as far as its creator has them' },
  // Which of its creator's roots a new worker gets; all by default.
  roots: { is: yaml.list(rootName, { mayBeEmpty: true }) },
  // A missing limit does not limit.
  attachments: { is: yaml.map(attachmentKeys) },
});

export type CreatedDefaults = Partial<yaml.MapValues<typeof created>>;

const currency = textOf(/^[A-Z]{3}$/, {
  base: yaml.text,
  what: 'a currency',
  help: 'three capital letters: `USD`',
});

const highestPrice = 1_000_000;
const price = yaml.that(yaml.number, (value) => value >= 0 && value <= highestPrice, {
  message: (value) => `${value} is not a price`,
  help: 'per million tokens, from 0 to a million',
  schema: { type: 'number', minimum: 0, maximum: highestPrice, description: 'per million tokens' },
});
const pricesOfModel = yaml.map({
  input: { is: price, missing: '`input: 3`, per million tokens' },
  output: { is: price, missing: '`output: 3`, per million tokens' },
});
const models = yaml.record<Prices['models'][number], yaml.Reporting>(null, {
  schema: pricesOfModel.schema,
  read: ({ key, keySpan, value }, at) => {
    if (!/^(anthropic|script):./.test(key) && !key.startsWith('*'))
      at.problems.add('BAD_MODEL', keySpan, {
        message: `${yaml.quote(key)} is not a model name`,
        help: 'a model as workers name it; `*` matches any text: `anthropic:claude-*`',
      });
    const { input = 0, output = 0 } = pricesOfModel.read(value, at)?.values ?? {};
    return [{ glob: key, input, output }];
  },
});
const prices = yaml.map({
  currency: { is: currency, missing: '`currency: USD`: one for all prices' },
  models: {
    is: models,
    about: 'by globs of models, `*` for any text',
    missing: '`models: { "anthropic:claude-…": { input: 3, output: 15 } }`, per million tokens',
  },
});

const configurationKeys = yaml.map({
  created: { is: created, about: 'for workers that a run creates, unless their creator says otherwise' },
  prices: { is: prices },
});

/** The JSON Schema of a project's `ambit.yaml`, for editors. `ambit check` finds more. */
export function configurationSchema(): JsonObject {
  return yaml.fileSchema('configuration', configurationKeys);
}

/** Null if there is a problem. The content of a policy is ignored: a policy must be named. */
export function readConfiguration(file: string, bytes: Uint8Array) {
  const { source, problems } = yaml.decodeSource(file, bytes);
  const reporting: yaml.Reporting = { problems };
  const root = problems.isEmpty ? yaml.parseYaml(source.text, problems) : null;
  const isPolicy =
    root?.kind === 'map' &&
    ['version', 'default'].every((key) => root.entries.some((entry) => entry.key === key));
  if (isPolicy && problems.isEmpty) return { configuration: null, diagnostics: [], isPolicy };
  const values = root === null ? undefined : configurationKeys.read(root, reporting)?.values;
  const { currency = '', models = [] } = values?.prices?.values ?? {};
  const configuration: Configuration = {
    created: values?.created?.values ?? {},
    prices: values?.prices === undefined ? null : { currency, models },
  };
  return {
    configuration: problems.isEmpty ? configuration : null,
    diagnostics: yaml.diagnosticsOf(problems, source),
    isPolicy: false,
  };
}

/** Reports what is probably meant for a built-in toolset. Other names are known when a worker has them. */
function reportToolset({ key, keySpan }: yaml.Entry, { problems }: yaml.Reporting): void {
  const isRight = builtInToolsets.some((name) => name === key);
  if (!isSimpleName(key) || isRight || yaml.nearest(key, builtInToolsets) === null) return;
  problems.add('UNKNOWN_TOOLSET', keySpan, {
    message: `${yaml.quote(key)} is not a built-in toolset`,
    help: yaml.helpFor(key, builtInToolsets),
  });
}

/** The settings of a project for all its runs, from the root of a run. It permits nothing. */
export const configurationFile = 'ambit.yaml';

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  /** In hex; null without a file. */
  readonly sha256: string | null;
  readonly problems: readonly Problem[];
}

/** Empty without a file, or for a policy of that name. */
export async function loadConfiguration(root: string): Promise<LoadedConfiguration> {
  const path = join(root, configurationFile);
  const nothing = { configuration: emptyConfiguration, sha256: null };
  try {
    if ((await ifThere(lstat(path))) === null) return { ...nothing, problems: [] };
    const bytes = await readRegular(path, yaml.largestFile + 1);
    const { configuration, diagnostics, isPolicy } = readConfiguration(configurationFile, bytes);
    if (isPolicy) return { ...nothing, problems: [] };
    return {
      configuration: configuration ?? emptyConfiguration,
      sha256: hash('sha256', bytes),
      problems: diagnostics.map(asProblem),
    };
  } catch (error) {
    return { ...nothing, problems: [fileProblem(configurationFile, causeOf(error))] };
  }
}

const emptyConfiguration: Configuration = { created: {}, prices: null };
