import { loadOptional } from '@ambit/toolsets';
import type Anthropic from '@anthropic-ai/sdk';
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
      if (service === 'openai')
        return Response.json(
          responsesMessage(await client.responses.create(responsesRequest(body), { signal })),
        );
      const request = chatRequest(body, { isOfficial: url === null });
      return Response.json(chatMessage(await client.chat.completions.create(request, { signal })));
    } catch (error) {
      if (error instanceof NotTranslated) return failed(400, error.message);
      if (!(error instanceof APIError) || error.status === undefined) throw error;
      return failed(error.status, error.message);
    }
  };
}

function failed(status: number, message: string): Response {
  return Response.json({ type: 'error', error: { type: 'api_error', message } }, { status });
}
