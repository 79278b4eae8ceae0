import { isJsonObject } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import type { Conversation } from './conversation.js';
import { contentProblem, tokensIn } from './message-shape.js';
import { streamedMessage } from './streamed-message.js';

interface ModelTurn {
  readonly message: Anthropic.Message;
  /** How many tokens it might have had. */
  readonly limit: number;
}

/** One answer of a model to what was said so far. Rejects where there is none, in words for a person. */
export async function takeTurn(
  conversation: Conversation,
  messages: Anthropic.MessageParam[],
): Promise<ModelTurn> {
  const { connection, system, tools, signal, answerTokens } = conversation;
  const ofProvider = await conversation.providerTools();
  signal.throwIfAborted();
  const limit = answerTokens();
  const message = await answer().catch((error: unknown) => {
    throw inWords(error, signal);
  });
  signal.throwIfAborted();
  if (message === null) throw new Error("the model's answer ended before it was finished");
  const odd = contentProblem(message.content);
  if (odd !== null) throw new Error(`the model's answer cannot be used: ${odd}`);
  conversation.onTurn({ tokens: tokensIn(message), ...providerUsesIn(message) });
  return { message, limit };

  async function answer(): Promise<Anthropic.Message | null> {
    const body: Anthropic.MessageCreateParamsStreaming = {
      model: connection.model,
      max_tokens: limit,
      stream: true,
      ...(system === '' ? {} : { system }),
      messages,
      tools: [
        ...tools.map(({ name, description, input }) => ({
          name,
          description,
          input_schema: input as unknown as Anthropic.Tool.InputSchema,
        })),
        ...ofProvider,
      ],
    };
    // `messages.create` says on the terminal that a model is deprecated, in the middle of what is shown there.
    const stream = await connection.client.post<AsyncIterable<Anthropic.RawMessageStreamEvent>>(
      '/v1/messages',
      { body, stream: true, signal },
    );
    return streamedMessage(stream, conversation.onText);
  }
}

/** How often tools of the model's provider ran in a turn; nothing where they did not. */
export function providerUsesIn({ content }: Pick<Anthropic.Message, 'content'>): {
  readonly provider_uses?: number;
} {
  const uses = content.filter(({ type }) => type === 'server_tool_use').length;
  return uses === 0 ? {} : { provider_uses: uses };
}

const answerSchema = z.object({ error: z.object({ error: z.object({ message: z.string() }) }) });

/** What an endpoint answers in JSON, in its own words; everything else in those of whoever noticed; where the run was stopped, why. */
function inWords(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof Error)) return error;
  const answer = answerSchema.safeParse(error);
  const said = answer.success ? answer.data.error.error.message : withCause(error);
  return new Error(`the model does not answer: ${said}`, { cause: error });
}

/** `Connection error.` says little without what was wrong with the connection. */
function withCause({ message, cause }: Error): string {
  const inner = innermost(cause);
  return inner === '' || message.includes(inner) ? message : `${message.replace(/\.$/, '')}: ${inner}`;
}

function innermost(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return innermost(cause.cause) || cause.message;
}

/** What a model said, as it is given back to it. The API takes back what it gave, but no empty text, and no arguments that are no object. */
export function asParameters(content: readonly Anthropic.ContentBlock[]): Anthropic.ContentBlockParam[] {
  const kept = content
    .filter((block) => block.type !== 'text' || block.text !== '')
    .map((block) => ('input' in block && !isJsonObject(block.input) ? { ...block, input: {} } : block));
  return (kept.length === 0 ? [{ type: 'text', text: '(nothing)' }] : kept) as Anthropic.ContentBlockParam[];
}
