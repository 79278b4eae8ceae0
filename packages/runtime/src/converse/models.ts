import { resolve } from 'node:path';
import { readRegular } from '@ambit/audit';
import { messageOf } from '@ambit/core';
import { causeOf } from '@ambit/policy';
import { largestFile, quote } from '@ambit/policy/yaml';
import { loadOptional } from '@ambit/toolsets';

import type Anthropic from '@anthropic-ai/sdk';
import { asProblem, fileProblem, type Problem, problem } from '../host/problem.js';
import type { Environment } from '../trust/state-folder.js';
import { modelForms, readModel, type ServedModel } from '../worker-file/model-name.js';
import type { ModelConnection } from './model-turn.js';
import { loadOpenAi, openAiFetch, openAiUrl } from './openai/openai-fetch.js';
import { readScript, type Script, scriptFetch, scriptUrl } from './script.js';
import { readIfWhole } from './whole-answer.js';

export type Models = ReturnType<typeof createModels>;

export interface ModelWorld {
  readonly environment: Environment;
  readonly scripts: ReadonlyMap<string, Script>;
}

export function createModels({ environment, scripts }: ModelWorld) {
  async function connectScript(file: string, worker: string): Promise<ModelConnection> {
    const script = scripts.get(file);
    if (script === undefined) throw new Error(`the script ${file} was not loaded`);
    const through = scriptFetch(script);
    return { client: await createClient({ apiKey: noKey, baseURL: scriptUrl, through }), model: worker };
  }

  return {
    /** Why the model is not available in this run, or null. */
    problemWith(model: string): string | null {
      const read = readModel(model);
      const isMissing = read?.service === 'script' && !scripts.has(read.name);
      if (isMissing) return `the script ${quote(read.name)} was not loaded`;
      return modelProblem(model, environment);
    },
    /** Accepts any form of `isModelName`. Rejects with a message if the model does not exist. */
    async connect(model: string, worker: string): Promise<ModelConnection> {
      const read = readModel(model);
      const why = modelProblem(model, environment);
      if (read === null || why !== null) throw new Error(why ?? notModel(model));
      if (read.service === 'script') return connectScript(read.name, worker);
      return connectService(read, environment);
    },
  };
}

/** Why this cannot be a model here, with a suggestion; null if it can. */
export function modelProblem(model: string, environment: Environment): string | null {
  const read = readModel(model);
  if (read === null) return notModel(model);
  if (read.service === 'script' || read.url !== null) return null;
  const { variable } = addresses[read.service];
  if ((environment[variable] ?? '') !== '') return null;
  return `the model ${quote(model)} needs a key in ${variable}; script:FILE needs none`;
}

function notModel(model: string): string {
  return `${quote(model)} is not a model: ${modelForms}`;
}

const addresses = {
  anthropic: { variable: 'ANTHROPIC_API_KEY', base: 'ANTHROPIC_BASE_URL', url: 'https://api.anthropic.com' },
  openai: { variable: 'OPENAI_API_KEY', base: 'OPENAI_BASE_URL', url: openAiUrl },
  'openai-chat': { variable: 'OPENAI_API_KEY', base: 'OPENAI_BASE_URL', url: openAiUrl },
} as const;

async function connectService(served: ServedModel, environment: Environment): Promise<ModelConnection> {
  const { service, name: model, url } = served;
  const { variable, base } = addresses[service];
  const given = url ?? (environment[base] || null);
  const apiKey = url === null ? environment[variable] : keyFor(url, environment);
  const baseURL = given ?? addresses[service].url;
  if (service === 'anthropic') return { client: await createClient({ apiKey, baseURL }), model };
  const through = await openAiFetch({ service, url: given, key: apiKey ?? noKey });
  return { client: await createClient({ apiKey: noKey, baseURL, through }), model };
}

/** For endpoints without keys, and for scripts. */
const noKey = 'none';

/**
 * The key in `AMBIT_MODEL_KEYS` (`ORIGIN=KEY`, blanks between) for an address from a worker file. A service's own key
 * never goes there.
 */
function keyFor(url: string, { AMBIT_MODEL_KEYS = '' }: Environment): string {
  const { origin } = new URL(url);
  const pairs = AMBIT_MODEL_KEYS.split(/\s+/).map((pair) => [
    pair.slice(0, pair.indexOf('=')),
    pair.slice(pair.indexOf('=') + 1),
  ]);
  return pairs.find(([of = '']) => URL.canParse(of) && new URL(of).origin === origin)?.[1] ?? noKey;
}

/** Files are relative to `root`. */
export async function loadModels(
  models: readonly string[],
  { root, environment }: { readonly root: string; readonly environment: Environment },
): Promise<{ readonly scripts: ReadonlyMap<string, Script>; readonly problems: readonly Problem[] }> {
  const scripts = new Map<string, Script>();
  const problems: Problem[] = [];
  const noSdk = models.length === 0 ? null : await loadSdk().then(() => null, messageOf);
  const isOpenAi = models.some((model) => model.startsWith('openai'));
  const noOpenAi = isOpenAi ? await loadOpenAi().then(() => null, messageOf) : null;
  for (const model of new Set(models)) {
    const message =
      modelProblem(model, environment) ?? noSdk ?? (model.startsWith('openai') ? noOpenAi : null);
    if (message !== null) problems.push(problem('BAD_MODEL', message, null));
    const read = readModel(model);
    if (message !== null || read?.service !== 'script') continue;
    const file = read.name;
    const found = await readRegular(resolve(root, file), largestFile + 1).then(
      (bytes) => readScript(file, bytes),
      (error: unknown) => fileProblem(file, `the script cannot be read: ${causeOf(error)}`),
    );
    if (!('ok' in found)) problems.push(found);
    else if (found.ok) scripts.set(file, found.script);
    else problems.push(...found.diagnostics.map(asProblem));
  }
  return { scripts, problems };
}

/** Users install it only to run workers. */
const loadSdk = () => loadOptional('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));

async function createClient(options: {
  apiKey: string | undefined;
  baseURL: string;
  through?: typeof fetch;
}): Promise<Anthropic> {
  // Commands that only judge do not load the SDK.
  const { default: Client } = await loadSdk();
  const { through = fetch } = options;
  // Reads nothing from the process's environment: a key goes only to its address.
  return new Client({
    apiKey: options.apiKey ?? null,
    authToken: null,
    credentials: null,
    baseURL: options.baseURL,
    fetch: async (url, init) => {
      // A key and a conversation go to the address that was given, and to no other.
      return readIfWhole(await through(url, { ...init, redirect: 'error' }));
    },
    logLevel: 'off',
  });
}
