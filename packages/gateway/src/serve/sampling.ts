import type { JsonObject } from '@ambit/core';
import { otherNames } from '../upstream/other-tools.js';
import { type Asking, type ClientState, passIfPermitted } from './pass-if-permitted.js';

/** What a server may ask of a model. Other keys are dropped: `includeContext` would hand the conversation to it. */
const passedKeys = [
  'messages',
  'maxTokens',
  'systemPrompt',
  'temperature',
  'stopSequences',
  'modelPreferences',
  'tools',
  'toolChoice',
];
const answerKeys = ['role', 'content', 'model', 'stopReason'];
const longestRequest = 1_000_000;
const mostAtOnce = 20;

/** A server's request to the client's model. */
export interface Sampling {
  readonly server: string;
  readonly params: JsonObject;
  /** The model capability that the client declares; null if it has none. */
  readonly capability: object | null;
}

/**
 * Passes a server's request to the client's model if it is permitted: it is judged and recorded like a call.
 * Null if it is not answered.
 */
export async function passSampling(
  { server, params, capability }: Sampling,
  { client, asking }: { readonly client: ClientState; readonly asking: Asking },
  send: (params: JsonObject) => Promise<JsonObject | null>,
): Promise<JsonObject | null> {
  if (capability === null || client.sampling >= mostAtOnce) return null;
  if (('tools' in params || 'toolChoice' in params) && !('tools' in capability)) return null;
  const request = picked(params, passedKeys);
  if (JSON.stringify(request).length > longestRequest) return null;
  client.sampling += 1;
  try {
    const judge = await client.judging();
    if (!(await judge.hasRuleFor('mcp.call.sampling'))) {
      client.serving.say(`${server} asked for the client’s model; no rule permits mcp.call.sampling`);
      return null;
    }
    const call = { tool: otherNames.sampling, args: { server, request }, asks: true };
    const what = `sampling/createMessage of ${server}`;
    const result = await passIfPermitted({ ...call, what }, client, asking, async () => {
      const answer = await send(request);
      if (answer === null) throw new Error('the client did not answer');
      return picked(answer, answerKeys);
    });
    return result.isError === true ? null : result;
  } finally {
    client.sampling -= 1;
  }
}

function picked(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}
