import { setMaxListeners } from 'node:events';
import { isJsonObject, type JsonObject } from '@ambit/core';
import type { Client } from '@modelcontextprotocol/client';
import { type Asked, firstStateless, type ServerQuestion } from './server-definition.js';

export function answerServer(client: Client, asked: Asked): void {
  const answerTo = (method: ServerQuestion, params: unknown, signal: AbortSignal) => {
    // All questions of one result have the same.
    setMaxListeners(0, signal);
    return isJsonObject(params) ? asked.answer(method, params, signal) : null;
  };
  answerUrls(client);
  client.setRequestHandler('roots/list', () => ({ roots: asked.roots.map((uri) => ({ uri })) }));
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const answer = await answerTo('elicitation/create', params, mcpReq.signal);
    const action = (['accept', 'decline'] as const).find((each) => each === answer?.action) ?? 'cancel';
    return { ...answer, action };
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
    const answer = await answerTo('sampling/createMessage', params, mcpReq.signal);
    // The server learns that it was refused, not why.
    if (answer === null) throw Object.assign(new Error('the request was refused'), { code: refusedByUser });
    return answer as never;
  });
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const given: unknown = params ?? {};
    if (isJsonObject(given)) asked.notified(method, given);
  };
}

/**
 * Gives the handler questions that open a URL as well, which the SDK refuses because that is not declared. In the revisions with
 * sessions, the protocol wants that error; without them, it would fail the whole call.
 */
function answerUrls(client: Client): void {
  // biome-ignore lint/complexity/useLiteralKeys: it is protected.
  const wrap = client['_wrapHandler'].bind(client);
  // biome-ignore lint/complexity/useLiteralKeys: it is protected.
  client['_wrapHandler'] = (method, handle) => {
    const wrapped = wrap(method, handle);
    return async (request, context) => {
      if (method !== 'elicitation/create' || request.params?.mode !== 'url') return wrapped(request, context);
      const cancelled = await handle(request, context);
      return isStateless(client) ? cancelled : wrapped(request, context);
    };
  };
}

export function isStateless(client: Client): boolean {
  return (client.getNegotiatedProtocolVersion() ?? '') >= firstStateless;
}

/** Without sessions, a server reports changed lists on request. */
export function listen(client: Client, signal: AbortSignal): void {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
    ...(resources?.listChanged === true && { resourcesListChanged: true }),
  };
  // Lists are asked for before each call as well: without a stream nothing is let through.
  if (Object.keys(filter).length > 0) client.listen(filter, { signal }).catch(() => undefined);
}

/** Without sessions, subscriptions to single resources are a part of `listen` that is not asked for. */
export function withoutSubscriptions(capabilities: JsonObject): JsonObject {
  const { resources = null } = capabilities;
  if (!isJsonObject(resources)) return capabilities;
  return { ...capabilities, resources: { ...resources, subscribe: false } };
}

/** The protocol's code for a request for a sample that the user refused. */
const refusedByUser = -1;
