import { isJsonObject, type JsonObject } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import { contentProblem, tokensIn } from './message-shape.js';
import { streamedMessage } from './streamed-message.js';

/** A model that a worker talks through: always the SDK's client, whatever answers at the other end. */
export interface ModelConnection {
  readonly client: Anthropic;
  /** The model's name, as the endpoint knows it. */
  readonly model: string;
}

/** What every request for an answer of a model carries, and who is told what comes of it. */
export interface TurnRequest {
  readonly connection: ModelConnection;
  /** The worker's instructions. */
  readonly system: string;
  readonly tools: readonly ModelTool[];
  /** What of the model's provider the next request may offer; asked before each. Never rejects. */
  readonly providerTools: () => Promise<readonly Anthropic.ToolUnion[]>;
  readonly signal: AbortSignal;
  /** How many tokens an answer may have. Throws where there may be no more answers. */
  readonly answerTokens: () => number;
  readonly onText: (text: string) => void;
  readonly onTurn: (took: TurnTook) => void;
}

/** What a turn of a model took. */
export interface TurnTook {
  readonly tokens: { readonly input: number; readonly output: number };
  /** How often tools of the model's provider ran in it; left out where they did not. */
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

/** One answer of a model to what was said so far. Rejects where there is none, in words for a person. */
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
    // `messages.create` says on the terminal that a model is deprecated, in the middle of what is shown there.
    const stream = await connection.client.post<AsyncIterable<Anthropic.RawMessageStreamEvent>>(
      '/v1/messages',
      { body, stream: true, signal },
    );
    return streamedMessage(stream, request.onText);
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
