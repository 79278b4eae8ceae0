import { isJsonObject, type Json, type JsonObject } from '@ambit/core';

/** An endpoint's answer as the SDK wants it: as a stream, also from an endpoint that gives a whole message where it was asked for one. */
export async function asStream(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !/^application\/json\b/i.test(type)) return response;
  const text = await response.text();
  const message = messageIn(text);
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  if (message === null) return new Response(text, { status: response.status, headers });
  headers.set('content-type', 'text/event-stream');
  return new Response(eventsOf(message).map(eventText).join(''), { status: response.status, headers });
}

type Event = JsonObject & { readonly type: string };
type Message = JsonObject & { readonly content: readonly Json[] };

/** Null for what is no message. */
function messageIn(text: string): Message | null {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) && Array.isArray(value.content) ? (value as Message) : null;
  } catch {
    return null;
  }
}

function eventsOf(message: Message): readonly Event[] {
  const { content, usage = {}, stop_reason = null, stop_sequence = null } = message;
  const begun = { ...message, usage, content: [], stop_reason: null, stop_sequence: null };
  return [
    { type: 'message_start', message: begun },
    ...content.flatMap((block, index) => blockEvents(block, index)),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Json, index: number): readonly Event[] {
  const text = isJsonObject(block) && block.type === 'text' ? block.text : undefined;
  const begun = typeof text === 'string' ? { ...(block as JsonObject), text: '' } : block;
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...(typeof text === 'string'
      ? [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }]
      : []),
    { type: 'content_block_stop', index },
  ];
}

function eventText(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
