import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelConnection } from './conversation.js';
import { type ScriptEndpoint, startScriptEndpoint } from './script-endpoint.js';
import { parseScript } from './script-file.js';

/** Connects workers to models, and ends what it started. */
export interface Models {
  /** `anthropic:NAME` or `script:FILE`. Rejects with words for a person when there is no such model. */
  connect(model: string, worker: string): Promise<ModelConnection>;
  close(): Promise<void>;
}

export interface ModelWorld {
  /** What script files are relative to. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function createModels({ root, environment }: ModelWorld): Models {
  const endpoints = new Map<string, Promise<ScriptEndpoint>>();

  async function connectScript(file: string, worker: string): Promise<ModelConnection> {
    const path = isAbsolute(file) ? file : resolve(root, file);
    const starting = endpoints.get(path) ?? readScript(path, file).then(startScriptEndpoint);
    endpoints.set(path, starting);
    const { url, key } = await starting;
    return { client: await createClient({ baseURL: url, apiKey: key }), model: worker };
  }

  return {
    async connect(model, worker) {
      const problem = modelProblem(model, environment);
      if (problem !== null) throw new Error(problem);
      const [kind, name] = splitModel(model);
      if (kind === 'script') return connectScript(name, worker);
      const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseURL } = environment;
      return {
        client: await createClient({ apiKey, ...(baseURL === undefined ? {} : { baseURL }) }),
        model: name,
      };
    },
    async close() {
      const started = await Promise.allSettled(endpoints.values());
      await Promise.all(
        started.map((endpoint) => (endpoint.status === 'fulfilled' ? endpoint.value.close() : undefined)),
      );
    },
  };
}

/** Why this cannot be a model here, in words with a suggestion; null where it can. */
export function modelProblem(model: string, environment: ModelWorld['environment']): string | null {
  const [kind, name] = splitModel(model);
  if ((kind !== 'anthropic' && kind !== 'script') || name === '') {
    return `\`${model}\` is not a model: anthropic:NAME or script:FILE`;
  }
  if (kind === 'anthropic' && (environment['ANTHROPIC_API_KEY'] ?? '') === '') {
    return `the model \`${model}\` wants a key in ANTHROPIC_API_KEY; script:FILE needs none`;
  }
  return null;
}

function splitModel(model: string): [string, string] {
  const colon = model.indexOf(':');
  return colon < 0 ? [model, ''] : [model.slice(0, colon), model.slice(colon + 1)];
}

async function readScript(path: string, file: string): Promise<ReturnType<typeof parsed>> {
  const source = await readFile(path).catch((error: unknown) => {
    throw new Error(
      `the script ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  return parsed(file, source);
}

function parsed(file: string, source: Uint8Array) {
  const script = parseScript(file, source);
  if (!script.ok) throw new ScriptError(script.text);
  return script.script;
}

/** A script file that does not load; the message is the whole report. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

async function createClient(options: { apiKey: string | undefined; baseURL?: string }): Promise<Anthropic> {
  // The SDK is loaded when the first model is wanted: commands that judge do without it.
  const { default: Client } = await import('@anthropic-ai/sdk');
  // No other credentials of the user's are looked for: a key goes only where it was meant to go.
  return new Client({
    apiKey: options.apiKey ?? null,
    authToken: null,
    credentials: null,
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
  });
}
