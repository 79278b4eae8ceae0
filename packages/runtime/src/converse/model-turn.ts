import { isJsonObject, type JsonObject, jsonOr, ownMember } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import { isWhole, wholeMessage } from './whole-answer.js';

export interface ModelConnection {
  readonly client: Anthropic;
  /** The endpoint's name for the model. */
  readonly model: string;
}

export interface TurnRequest {
  readonly connection: ModelConnection;
  readonly system: string;
  readonly tools: readonly ModelTool[];
  /** The provider's tools for the next request; called before each. Never rejects. */
  readonly providerTools: () => Promise<readonly Anthropic.ToolUnion[]>;
  readonly signal: AbortSignal;
  /** Throws if no more answers are allowed. */
  readonly answerTokens: () => number;
  readonly onText: (text: string) => void;
  readonly onTurn: (took: TurnTook) => void;
}

interface TurnTook {
  readonly tokens: { readonly input: number; readonly output: number };
  /** Absent for none. */
  readonly provider_uses?: number;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** One answer of a model to the conversation. Rejects with words for a person. */
export async function takeTurn(request: TurnRequest, messages: Anthropic.MessageParam[]) {
  const { connection, system, tools, signal, answerTokens } = request;
  const ofProvider = await request.providerTools();
  signal.throwIfAborted();
  const limit = answerTokens();
  const message = await answer().catch((error: unknown) => {
    throw modelError(error, signal);
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
    const { data: events, response } = await connection.client
      // A signal of its own: the client listens to it as long as an answer is not read as a stream.
      .post<AsyncIterable<Event>>('/v1/messages', {
        body: wellFormed(body),
        stream: true,
        signal: AbortSignal.any([signal]),
      })
      .withResponse();
    if (!isWhole(response)) return streamedMessage(events, request.onText);
    const whole = await wholeMessage(response);
    // A message with another content is refused later.
    for (const block of whole?.content ?? [])
      if (block?.type === 'text' && typeof block.text === 'string') request.onText(block.text);
    return whole;
  }
}

/** An API refuses a request with half a surrogate pair, and a model, a person or a server may write one. */
function wellFormed<T>(value: T): T {
  const of = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(/\p{Surrogate}/gu, '\ufffd');
    if (Array.isArray(part)) return part.map(of);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [of(key), of(inner)]));
  };
  return of(value) as T;
}

/** How often the provider's tools ran; absent if they did not. */
export function providerUsesIn({ content }: Pick<Anthropic.Message, 'content'>): {
  readonly provider_uses?: number;
} {
  const uses = content.filter(({ type }) => type === 'server_tool_use').length;
  return uses === 0 ? {} : { provider_uses: uses };
}

const answerSchema = z.object({ error: z.object({ error: z.object({ message: z.string() }) }) });

/** The endpoint's own error in JSON; otherwise the client's message; or why the run was stopped. */
function modelError(error: unknown, signal: AbortSignal): unknown {
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

/** A message as the API takes it back: without empty text, arguments as objects. */
export function asParameters(content: readonly Anthropic.ContentBlock[]): Anthropic.ContentBlockParam[] {
  const kept = content
    .filter((block) => block.type !== 'text' || block.text !== '')
    .map((block) => ('input' in block && !isJsonObject(block.input) ? { ...block, input: {} } : block));
  return kept.length === 0 ? [{ type: 'text', text: '(nothing)' }] : kept;
}

type Event = Anthropic.RawMessageStreamEvent;
type Delta = Anthropic.RawContentBlockDeltaEvent['delta'];

interface Part {
  readonly block: Anthropic.ContentBlock;
  readonly written: string;
}

/** The message of a stream; null if it ends early. Invalid JSON arguments stay text, which no tool accepts. */
async function streamedMessage(
  events: AsyncIterable<Event>,
  onText: (text: string) => void,
): Promise<Anthropic.Message | null> {
  const parts = new Map<number, Part>();
  let message: Anthropic.Message | null = null;
  for await (const event of events) {
    if (event.type === 'message_start') message = event.message;
    else if (event.type === 'content_block_start')
      parts.set(event.index, { block: event.content_block, written: '' });
    else if (event.type === 'content_block_delta') {
      const part = parts.get(event.index);
      if (event.delta.type === 'text_delta') onText(event.delta.text);
      if (part !== undefined) parts.set(event.index, withDelta(part, event.delta));
    } else if (event.type === 'message_delta' && message !== null) message = withEnd(message, event);
    else if (event.type === 'message_stop' && message !== null)
      return { ...message, content: [...parts.values()].map(finishedBlock) };
  }
  return null;
}

function withDelta({ block, written }: Part, delta: Delta): Part {
  if (delta.type === 'input_json_delta') return { block, written: written + delta.partial_json };
  return { block: withAddition(block, delta), written };
}

/** A block with an addition. An addition to no block is ignored. */
function withAddition(block: Anthropic.ContentBlock, delta: Delta): Anthropic.ContentBlock {
  if (block.type === 'text' && delta.type === 'text_delta')
    return { ...block, text: block.text + delta.text };
  if (block.type === 'text' && delta.type === 'citations_delta')
    return { ...block, citations: [...(block.citations ?? []), delta.citation] };
  if (block.type === 'thinking' && delta.type === 'thinking_delta')
    return { ...block, thinking: block.thinking + delta.thinking };
  if (block.type === 'thinking' && delta.type === 'signature_delta')
    return { ...block, signature: delta.signature };
  return block;
}

function finishedBlock({ block, written }: Part): Anthropic.ContentBlock {
  return written === '' ? block : ({ ...block, input: jsonOr(written, written) } as Anthropic.ContentBlock);
}

function withEnd(
  message: Anthropic.Message,
  { delta, usage }: Anthropic.RawMessageDeltaEvent,
): Anthropic.Message {
  const counted = Object.entries(usage ?? {}).filter(([, count]) => count !== null);
  return {
    ...message,
    ...Object.fromEntries(Object.entries(delta).filter(([, value]) => value !== undefined)),
    usage: { ...message.usage, ...Object.fromEntries(counted) },
  };
}

const text = z.string().min(1);
const block = z.looseObject({ type: text });
const blocks: Readonly<Record<string, z.ZodType>> = {
  text: z.looseObject({ text: z.string() }),
  // An empty name is unknown to the guard.
  tool_use: z.looseObject({ id: text, name: z.string() }),
};

/** Null if the message can be used. Types do not guarantee it. */
function contentProblem(content: unknown): string | null {
  if (!Array.isArray(content)) return 'it has no content';
  for (const part of content as readonly unknown[]) {
    const known = block.safeParse(part);
    if (!known.success) return 'a part of it has no type';
    const shape = ownMember(blocks, known.data.type);
    if (shape !== undefined && !shape.safeParse(part).success)
      return known.data.type === 'text' ? 'a text of it has no text' : 'a call of it has no id or no name';
  }
  return null;
}

/** The tokens of an answer; NaN for a count that is unknown. */
export function tokensIn({ usage }: Pick<Anthropic.Message, 'usage'>): {
  readonly input: number;
  readonly output: number;
} {
  return { input: tokenCount(usage.input_tokens), output: tokenCount(usage.output_tokens) };
}

function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
}
