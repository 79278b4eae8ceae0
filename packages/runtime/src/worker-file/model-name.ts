import { printable } from '@ambit/core';

export const modelForms = 'anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE';

/** Services by the form of their requests: Messages, Responses, Chat Completions. */
const services = ['anthropic', 'openai', 'openai-chat'] as const;

export interface ServedModel {
  readonly service: (typeof services)[number];
  readonly name: string;
  /** Null for the service's own. */
  readonly url: string | null;
}

type NamedModel = ServedModel | { readonly service: 'script'; readonly name: string; readonly url: null };

/** `anthropic:NAME`, `openai:NAME`, `openai-chat:NAME`, each also as `NAME@URL`; or `script:FILE`. Null for others. */
export function readModel(model: string): NamedModel | null {
  const [kind = '', ...rest] = model.split(':');
  const name = rest.join(':');
  const service = [...services, 'script' as const].find((each) => each === kind);
  if (service === undefined || printable(model) !== model || name.trim() === '') return null;
  if (service === 'script') return { service, name, url: null };
  const at = name.search(/@https?:/i);
  if (at < 0) return { service, name, url: null };
  const url = name.slice(at + 1);
  return at > 0 && isEndpoint(url) ? { service, name: name.slice(0, at), url } : null;
}

export function isModelName(model: string): boolean {
  return readModel(model) !== null;
}

/** Requests must not be readable in transit: without TLS only on this machine. */
function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || /\s/.test(text) || url.username !== '' || url.password !== '') return false;
  if (url.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}
