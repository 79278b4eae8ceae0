import { printable } from '@ambit/core';

export const modelForms = 'anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE';

/** Services by the form of their requests: Messages, Responses, Chat Completions. */
const services = ['anthropic', 'openai', 'openai-chat'] as const;
export type Service = (typeof services)[number];

export interface ServedModel {
  readonly service: Service;
  readonly name: string;
  /** Null for the service's own. */
  readonly url: string | null;
}

/** `anthropic:NAME`, `openai:NAME`, `openai-chat:NAME`, each also as `NAME@URL`; or `script:FILE`. */
export function isModelName(model: string): boolean {
  const [kind, name] = splitModel(model);
  if (printable(model) !== model || name.trim() === '') return false;
  return kind === 'script' || servedModel(model) !== null;
}

/** Null for a script or an invalid name. */
export function servedModel(model: string): ServedModel | null {
  const [kind, name] = splitModel(model);
  const service = services.find((each) => each === kind);
  if (service === undefined || name.trim() === '') return null;
  const at = name.search(/@https?:/i);
  if (at < 0) return { service, name, url: null };
  const url = name.slice(at + 1);
  return at > 0 && isEndpoint(url) ? { service, name: name.slice(0, at), url } : null;
}

/** Requests must not be readable in transit: without TLS only on this machine. */
function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || /\s/.test(text) || url.username !== '' || url.password !== '') return false;
  if (url.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

export function splitModel(model: string): [string, string] {
  const colon = model.indexOf(':');
  return colon < 0 ? [model, ''] : [model.slice(0, colon), model.slice(colon + 1)];
}
