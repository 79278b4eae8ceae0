import { isJsonObject, type Json, jsonOr } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';

/** An endpoint may send a whole message in JSON, whatever it was asked for. Read at once: a lost connection is retried. */
export async function readIfWhole(response: Response): Promise<Response> {
  return isWhole(response) ? new Response(await response.text(), response) : response;
}

export function isWhole({ ok, headers }: Response): boolean {
  return ok && /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

/** The message in such a response; null without one. Throws an error that the endpoint sends instead. */
export async function wholeMessage(response: Response): Promise<Anthropic.Message | null> {
  const said: Json = jsonOr(await response.text(), null);
  if (!isJsonObject(said)) return null;
  if (Array.isArray(said.content))
    return { usage: {}, stop_reason: null, stop_sequence: null, ...said } as unknown as Anthropic.Message;
  if (said.type === 'error') throw Object.assign(new Error(JSON.stringify(said)), { error: said });
  return null;
}
