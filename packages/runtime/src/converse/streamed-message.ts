import type { Json } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';

type Event = Anthropic.RawMessageStreamEvent;
type Delta = Anthropic.RawContentBlockDeltaEvent['delta'];

/** A block while it comes in. */
interface Part {
  readonly block: Anthropic.ContentBlock;
  /** The written part of its arguments. */
  readonly written: string;
}

/**
 * The message of a model's stream; null if the stream ends early. Invalid JSON arguments stay text, which no
 * tool accepts: a part of them must never run.
 */
export async function streamedMessage(
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
      return { ...message, content: [...parts.values()].map(finished) };
  }
  return null;
}

function withDelta({ block, written }: Part, delta: Delta): Part {
  if (delta.type === 'input_json_delta') return { block, written: written + delta.partial_json };
  return { block: grown(block, delta), written };
}

/** A block with an addition. An addition to no block is ignored. */
function grown(block: Anthropic.ContentBlock, delta: Delta): Anthropic.ContentBlock {
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

function finished({ block, written }: Part): Anthropic.ContentBlock {
  return written === '' ? block : ({ ...block, input: asJson(written) } as Anthropic.ContentBlock);
}

function asJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The counters of the whole message, if present. */
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
