import { isJsonObject, type JsonObject } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import { contentProblem, tokensIn } from './message-shape.js';
import { streamedMessage } from './streamed-message.js';

/** A worker's model: always the SDK's client, whatever endpoint answers. */
export interface ModelConnection {
  readonly client: Anthropic;
  /** The model's name, as the endpoint knows it. */
  readonly model: string;
}

/** The constant part of every request, and the receiver of its events. */
export interface TurnRequest {
  readonly connection: ModelConnection;
  /** The worker's instructions. */
  readonly system: string;
  readonly tools: readonly ModelTool[];
  /** The provider's tools for the next request; called before each. Never rejects. */
  readonly providerTools: () => Promise<readonly Anthropic.ToolUnion[]>;
  readonly signal: AbortSignal;
  /** The token limit of an answer. Throws if no more answers are allowed. */
  readonly answerTokens: () => number;
  readonly onText: (text: string) => void;
  readonly onTurn: (took: TurnTook) => void;
}

/** The usage of a model turn. */
export interface TurnTook {
  readonly tokens: { readonly input: number; readonly output: number };
  /** The number of provider tool uses in it; absent for none. */
  readonly provider_uses?: number;
}

export interface ModelTool {
  /** The name that the model sees. */
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

interface ModelTurn {
  readonly message: Anthropic.Message;
  /** How many tokens it might have had. */
  readonly limit: number;
}

/** One answer of a model to the conversation. Rejects with words for a person. */
export async function takeTurn(request: TurnRequest, messages: Anthropic.MessageParam[]): Promise<ModelTurn> {
  const { connection, system, tools, signal, answerTokens } = request;
  const ofProvider = await request.providerTools();
  signal.throwIfAborted();
  const limit = answerTokens();
  const message = await answer().catch((error: unknown) => {
    throw inWords(error, signal);
  });
  signal.throwIfAborted();
  if (message === null) throw new Error("the model's answer ended before it was finished");
  const odd = contentProblem(message.content);
  if (odd !== null) throw new Error(`the model's answer cannot be used: ${odd}`);
  request.onTurn({ tokens: tokensIn(message), ...providerUsesIn(message) });
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
    // `messages.create` prints deprecation notices into the live view.
    const stream = await connection.client.post<AsyncIterable<Anthropic.RawMessageStreamEvent>>(
      '/v1/messages',
      { body, stream: true, signal },
    );
    return streamedMessage(stream, request.onText);
  }
}

/** The number of provider tool uses in a turn; absent for none. */
export function providerUsesIn({ content }: Pick<Anthropic.Message, 'content'>): {
  readonly provider_uses?: number;
} {
  const uses = content.filter(({ type }) => type === 'server_tool_use').length;
  return uses === 0 ? {} : { provider_uses: uses };
}

const answerSchema = z.object({ error: z.object({ error: z.object({ message: z.string() }) }) });

/** The endpoint's own error in JSON; otherwise the client's message; or why the run was stopped. */
function inWords(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof Error)) return error;
  const answer = answerSchema.safeParse(error);
  const said = answer.success ? answer.data.error.error.message : withCause(error);
  return new Error(`the model does not answer: ${said}`, { cause: error });
}

/** `Connection error.` alone does not name the cause. */
function withCause({ message, cause }: Error): string {
  const inner = innermost(cause);
  return inner === '' || message.includes(inner) ? message : `${message.replace(/\.$/, '')}: ${inner}`;
}

function innermost(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return innermost(cause.cause) || cause.message;
}

/**
 * A model's message as it is sent back. The API accepts it, except empty text and arguments that are not an
 * object.
 */
export function asParameters(content: readonly Anthropic.ContentBlock[]): Anthropic.ContentBlockParam[] {
  const kept = content
    .filter((block) => block.type !== 'text' || block.text !== '')
    .map((block) => ('input' in block && !isJsonObject(block.input) ? { ...block, input: {} } : block));
  return (kept.length === 0 ? [{ type: 'text', text: '(nothing)' }] : kept) as Anthropic.ContentBlockParam[];
}
