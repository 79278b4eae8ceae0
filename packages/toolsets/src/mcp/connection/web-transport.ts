import { setTimeout as pause } from 'node:timers/promises';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { lookupOf } from '../../http/connector.js';
import { loadOptional } from '../../places/load-optional.js';
import { eventsOf, type Receive } from './received.js';
import type { Resolved } from './resolve-site.js';
import type { McpSite } from './server-definition.js';

export const loadSdk = () =>
  loadOptional('@modelcontextprotocol/client', () => import('@modelcontextprotocol/client'));

/** The SDK's HTTP transport, limited to judged addresses, one origin and a size. No proxy. */
export async function webTransport(
  site: McpSite,
  { addresses }: Resolved,
  receive: Receive,
): Promise<{ readonly transport: Transport; readonly end: () => Promise<void> }> {
  const { StreamableHTTPClientTransport } = await loadSdk();
  // Loaded first, so Node's own `fetch` keeps its dispatcher: undici replaces an unset one.
  void globalThis.Headers;
  const { Agent, fetch, Response } = await loadOptional('undici', () => import('undici'));
  const agent = new Agent({
    // Whatever the environment says: its token must reach no other server.
    connect: { lookup: lookupOf(addresses), rejectUnauthorized: true },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const opened: number[] = [];
  /** The bodies of requests that a stream answers. */
  const streamed = new Set<unknown>();
  const transport = new StreamableHTTPClientTransport(new URL(site.url), {
    requestInit: { headers: { ...site.headers } },
    reconnectionOptions,
    fetch: async (url, init) => {
      if (init?.method === 'GET') requireRare(opened);
      const asked = { ...init, dispatcher: agent } as Parameters<typeof fetch>[1];
      const { body, status, statusText, headers } = await fetch(url, asked);
      // The server has ended the session, and only a new one goes on. It may have no streams for `GET` at all.
      const isLost = status === 404 && init?.method === 'POST';
      if (isLost && new Headers(init.headers).has('mcp-session-id')) void transport.close();
      const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
      const isStream = type === 'text/event-stream' && status === 200 && init?.method === 'POST';
      if (isStream) streamed.add(init.body);
      const id = isStream ? JSON.parse(init.body as string).id : undefined;
      const read = (text: string) => receive(text, id)?.text ?? text;
      return new Response(await answerIn(bounded(body, status), type, read), { status, statusText, headers });
    },
  });
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    // Without a stream, no answer comes later. The SDK would wait for it.
    if (!streamed.delete(JSON.stringify(message)))
      (options as TransportSendOptions | undefined)?.onRequestStreamEnd?.();
  };
  return {
    transport,
    end: async () => {
      // The session belongs to the server: its end is not awaited.
      await Promise.race([
        transport.terminateSession().catch(() => undefined),
        pause(patience, undefined, { ref: false }),
      ]);
      await transport.close().catch(() => undefined);
      await agent.destroy();
    },
  };
}

const reconnectionOptions = {
  maxRetries: 2,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};
/** Bytes of one answer or stream. */
const mostBytes = 32_000_000;
const patience = 1_000;
/** Opened streams each minute. */
const mostOpened = 20;

function requireRare(opened: number[]): void {
  const now = performance.now();
  while (opened[0] !== undefined && now - opened[0] > 60_000) opened.shift();
  if (opened.length >= mostOpened) throw new Error('the server closes its streams too often');
  opened.push(now);
}

function bounded(body: ReadableStream<Uint8Array> | null, status: number): ReadableStream<Uint8Array> | null {
  if (status !== 202) return body?.pipeThrough(limiting(mostBytes)) ?? null;
  // It says nothing, and the SDK would read it to its end.
  body?.cancel().catch(() => undefined);
  return null;
}

/** The body, with what `read` makes of the messages in it. */
async function answerIn(
  body: ReadableStream<Uint8Array> | null,
  type: string | undefined,
  read: (text: string) => string,
): Promise<ReadableStream<Uint8Array> | string | null> {
  if (body !== null && type === 'application/json') return read(await new Response(body).text());
  if (body === null || type !== 'text/event-stream') return body;
  const texts = body.pipeThrough<string>(new TextDecoderStream()).pipeThrough(eventsOf(read));
  return texts.pipeThrough(new TextEncoderStream());
}

function limiting(most: number): TransformStream<Uint8Array, Uint8Array> {
  let taken = 0;
  return new TransformStream({
    transform(chunk, controller) {
      taken += chunk.byteLength;
      if (taken > most) controller.error(new Error(`the server sends more than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
