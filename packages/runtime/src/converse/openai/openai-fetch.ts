import { loadOptional } from '@ambit/toolsets';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { chatMessage, chatRequest } from './chat-form.js';
import { NotTranslated } from './not-translated.js';
import { responsesMessage, responsesRequest } from './responses-form.js';

export interface OpenAiEndpoint {
  readonly service: 'openai' | 'openai-chat';
  /** Null for OpenAI's own. */
  readonly url: string | null;
  readonly key: string;
}

/** Users install it only for models of this form. */
export const loadOpenAi = () => loadOptional('openai', () => import('openai'));

export const openAiUrl = 'https://api.openai.com/v1';

/** Answers Messages requests through the `openai` SDK, not streamed. Conversations have one form for all models. */
export async function openAiFetch({ service, url, key }: OpenAiEndpoint): Promise<typeof fetch> {
  const { default: Client, APIError } = await loadOpenAi();
  // As for the other service: nothing from the process's environment, no retries beside the caller's, nothing printed.
  const client = new Client({
    apiKey: key,
    baseURL: url ?? openAiUrl,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: (to, init) => fetch(to, { ...init, redirect: 'error' }),
  });
  return async (_url, init) => {
    const body = JSON.parse(
      typeof init?.body === 'string' ? init.body : '{}',
    ) as Anthropic.MessageCreateParams;
    const signal = init?.signal ?? undefined;
    try {
      const message = await (service === 'openai'
        ? responses(client, body, signal)
        : chat(client, body, signal));
      return Response.json(message);
    } catch (error) {
      if (error instanceof NotTranslated) return failed(400, error.message);
      if (!(error instanceof APIError) || error.status === undefined) throw error;
      return failed(error.status, error.message);
    }

    async function chat(to: OpenAI, of: Anthropic.MessageCreateParams, until: AbortSignal | undefined) {
      const request = chatRequest(of, { isOfficial: url === null });
      return chatMessage(await to.chat.completions.create(request, { signal: until }));
    }
  };
}

async function responses(
  client: OpenAI,
  body: Anthropic.MessageCreateParams,
  signal: AbortSignal | undefined,
) {
  return responsesMessage(await client.responses.create(responsesRequest(body), { signal }));
}

function failed(status: number, message: string): Response {
  return Response.json({ type: 'error', error: { type: 'api_error', message } }, { status });
}
