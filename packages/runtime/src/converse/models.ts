import { resolve } from 'node:path';
import { readRegular } from '@ambit/audit';
import { messageOf } from '@ambit/core';
import { largestFile, quote } from '@ambit/policy/yaml';
import { loadOptional } from '@ambit/toolsets';
import type Anthropic from '@anthropic-ai/sdk';
import { asProblem, fileProblem, type Problem } from '../host/problem.js';
import { isModelName, splitModel } from '../worker-file/model-name.js';
import type { ModelConnection } from './model-turn.js';
import { type ScriptEndpoint, startScriptEndpoint } from './script-endpoint.js';
import { readScript, type Script } from './script-file.js';
import { asStream, isStreamWanted } from './whole-answer.js';

/** Connects workers to models, and ends what it started. */
export interface Models {
  /** `anthropic:NAME` or `script:FILE`. Rejects with words for a person if the model does not exist. */
  connect(model: string, worker: string): Promise<ModelConnection>;
  /** Why the model is not available in this run, or null. */
  problemWith(model: string): string | null;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelWorld {
  readonly environment: Environment;
  /** The scripts of `script:FILE`, by FILE. */
  readonly scripts: ReadonlyMap<string, Script>;
}

export function createModels({ environment, scripts }: ModelWorld): Models {
  const endpoints = new Map<Script, Promise<ScriptEndpoint>>();

  async function connectScript(file: string, worker: string): Promise<ModelConnection> {
    const script = scripts.get(file);
    if (script === undefined) throw new Error(`the script ${file} was not loaded`);
    const starting = endpoints.get(script) ?? startScriptEndpoint(script);
    endpoints.set(script, starting);
    const { url, key } = await starting;
    return { client: await createClient({ baseURL: url, apiKey: key }), model: worker };
  }

  return {
    problemWith(model) {
      const [kind, name] = splitModel(model);
      const isMissing = kind === 'script' && !scripts.has(name);
      return (
        modelProblem(model, environment) ?? (isMissing ? `the script ${quote(name)} was not loaded` : null)
      );
    },
    async connect(model, worker) {
      const problem = modelProblem(model, environment);
      if (problem !== null) throw new Error(problem);
      const [kind, name] = splitModel(model);
      if (kind === 'script') return connectScript(name, worker);
      const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseURL } = environment;
      return {
        client: await createClient({ apiKey, baseURL: baseURL || 'https://api.anthropic.com' }),
        model: name,
      };
    },
    async close() {
      const started = await Promise.allSettled(endpoints.values());
      await Promise.all(
        started.flatMap((endpoint) => (endpoint.status === 'fulfilled' ? [endpoint.value.close()] : [])),
      );
    },
  };
}

/** Why this cannot be a model here, with a suggestion; null if it can. */
export function modelProblem(model: string, environment: Environment): string | null {
  const [kind] = splitModel(model);
  if (!isModelName(model)) {
    return `${quote(model)} is not a model: anthropic:NAME or script:FILE`;
  }
  if (kind === 'anthropic' && (environment.ANTHROPIC_API_KEY ?? '') === '') {
    return `the model ${quote(model)} wants a key in ANTHROPIC_API_KEY; script:FILE needs none`;
  }
  return null;
}

/** The scripts of all these models, or why some of them cannot be had. Files are relative to `root`. */
export async function loadModels(
  models: readonly string[],
  { root, environment }: { readonly root: string; readonly environment: Environment },
): Promise<{ readonly scripts: ReadonlyMap<string, Script>; readonly problems: readonly Problem[] }> {
  const scripts = new Map<string, Script>();
  const problems: Problem[] = [];
  const noSdk = models.length === 0 ? null : await loadSdk().then(() => null, messageOf);
  for (const model of new Set(models)) {
    const message = modelProblem(model, environment) ?? noSdk;
    if (message !== null) problems.push({ code: 'BAD_MODEL', message, help: null, diagnostic: null });
    const [kind, file] = splitModel(model);
    if (message !== null || kind !== 'script') continue;
    const read = await readRegular(resolve(root, file), largestFile + 1).then(
      (bytes) => readScript(file, bytes),
      (error: NodeJS.ErrnoException) => ({ ok: false, problem: unreadable(file, error) }) as const,
    );
    if (read.ok) scripts.set(file, read.script);
    else problems.push(...('problem' in read ? [read.problem] : read.diagnostics.map(asProblem)));
  }
  return { scripts, problems };
}

function unreadable(file: string, { code, message }: NodeJS.ErrnoException): Problem {
  const why = code === 'ENOENT' ? 'there is no such file' : message;
  return fileProblem(file, `the script cannot be read: ${why}`);
}

/** Users install it only to run workers. */
const loadSdk = () => loadOptional('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));

async function createClient(options: { apiKey: string | undefined; baseURL: string }): Promise<Anthropic> {
  // The SDK is loaded when the first model is wanted: commands that judge do without it.
  const { default: Client } = await loadSdk();
  // Reads nothing from the process's environment, so a key goes only where it should, and the SDK prints
  // nothing.
  return new Client({
    apiKey: options.apiKey ?? null,
    authToken: null,
    credentials: null,
    baseURL: options.baseURL,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      return isStreamWanted(init?.body) ? asStream(response) : response;
    },
    logLevel: 'off',
  });
}
