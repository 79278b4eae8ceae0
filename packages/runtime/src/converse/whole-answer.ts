import { isJsonObject, type Json, type JsonObject, jsonOr } from '@ambit/core';

/** Whether a request, as the SDK writes it, asks for a stream. */
export function isStreamWanted(body: unknown): boolean {
  return typeof body === 'string' && body.includes('"stream":true');
}

/** An endpoint's answer as a stream for the SDK, also from an endpoint that sends a whole message. */
export async function asStream(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !/^application\/json\b/i.test(type)) return response;
  const text = await response.text();
  const said = jsonOr(text, null);
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  if (!isMessage(said) && !isError(said)) return new Response(text, { status: response.status, headers });
  headers.set('content-type', 'text/event-stream');
  const events = isMessage(said) ? eventsOf(said) : [said];
  const written = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(written.join(''), { status: response.status, headers });
}

type Event = JsonObject & { readonly type: string };
type Message = JsonObject & { readonly content: readonly Json[] };

function isMessage(said: Json): said is Message {
  return isJsonObject(said) && Array.isArray(said.content);
}

function isError(said: Json): said is Event {
  return isJsonObject(said) && said.type === 'error';
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
