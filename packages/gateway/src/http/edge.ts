import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { isJson, isJsonObject, type JsonObject } from '@ambit/core';

/** An answer that ends a request before any message is read or passed on. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    more: { code?: number; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = more.code ?? -32000;
    this.headers = more.headers ?? {};
  }
}

/** What all clients together may take. */
export interface Limits {
  /** Requests that are not answered. */
  readonly inFlight: number;
  /** Open sessions: each has a server of its own. */
  readonly sessions: number;
  /** Milliseconds without a request after which a session, or a client without sessions, is forgotten. */
  readonly silence: number;
  /** Bytes of messages whose requests are not answered, and as many of answers that are not read. */
  readonly bytes: number;
}

/** The longest body of a request, in bytes. */
const longestBody = 4_194_304;
/** Milliseconds for which a client may leave an answer unread. */
const longestStall = 60_000;

/** Bytes that are held for all clients together. */
export class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** False where there is no room: nothing is taken then. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** Refuses a request that was sent to another name than ours, or by a page of another origin: DNS rebinding. */
export function requireOwn(request: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { host = '', origin } = request.headers;
  if (!hosts.has(host.toLowerCase())) throw new Refused(403, 'the header `Host` names another server');
  const own = [...hosts].flatMap((each) => [`http://${each}`, `https://${each}`]);
  if (origin !== undefined && !own.includes(origin.toLowerCase()))
    throw new Refused(403, 'the header `Origin` names another site');
}

/** The one message that a request carries. `take` has to find room for each part of it. */
export async function messageIn(
  request: IncomingMessage,
  take: (bytes: number) => boolean,
): Promise<JsonObject> {
  const { 'content-type': type = '', 'content-length': said = '0' } = request.headers;
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw new Refused(415, 'a message is sent as `application/json`');
  const tooLong = () => new Refused(413, `a message has at most ${longestBody} bytes`);
  if (Number(said) > longestBody) throw tooLong();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestBody) throw tooLong();
    if (!take(chunk.length)) throw busy('too many messages are read at once');
    chunks.push(chunk);
  }
  const message = parsed(Buffer.concat(chunks));
  if (!isJsonObject(message)) throw new Refused(400, 'a request carries one message', { code: -32600 });
  requireSame(request, message);
  return message;
}

function parsed(bytes: Buffer) {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isJson(value)) return value;
  } catch {
    // It is refused below, like a value that is not plain JSON.
  }
  throw new Refused(400, 'the body is not JSON in UTF-8', { code: -32700 });
}

/** Headers that speak of the message say what it says: others on the way judge by them. */
function requireSame({ headers }: IncomingMessage, { method, params = null }: JsonObject): void {
  const { 'mcp-method': saidMethod, 'mcp-name': saidName } = headers;
  const named = isJsonObject(params) ? (method === 'resources/read' ? params.uri : params.name) : undefined;
  const differs =
    (saidMethod !== undefined && saidMethod !== method) ||
    (saidName !== undefined && plain(String(saidName)) !== named);
  if (differs) throw new Refused(400, 'headers and body differ', { code: -32020 });
}

/** A value that is not plain ASCII comes in Base64. */
function plain(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/i.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** The request in the web's form, without its body and without its credentials: what is behind the edge never sees them. */
export function webRequest(
  request: IncomingMessage,
  response: ServerResponse,
  message: JsonObject | null,
): Request {
  const closing = new AbortController();
  response.once('close', () => closing.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (name !== 'authorization' && name !== 'cookie' && name !== 'content-length' && value !== undefined)
      headers.set(name, String(value));
  const { method = 'GET' } = request;
  return new Request(new URL('http://gateway/mcp'), {
    method,
    headers,
    signal: closing.signal,
    ...(message !== null && { body: JSON.stringify(message) }),
  });
}

/** What a client may try again. */
export function busy(message: string, seconds = 1): Refused {
  return new Refused(503, message, { headers: { 'retry-after': `${seconds}` } });
}

/**
 * Sends an answer of the web's form. What is not read is held in `room`, where its size is known; without room, or where it is never
 * read, the connection ends.
 */
export async function sendWeb(from: Response, to: ServerResponse, room: Room): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body === null) return void to.end();
  to.flushHeaders();
  const reader = from.body.getReader();
  let unread = 0;
  const read = (bytes: number) => {
    unread -= bytes;
    room.give(bytes);
  };
  const stall = setTimeout(() => unread > 0 && to.destroy(), longestStall).unref();
  const closed = finished(to).catch(() => undefined);
  // A client that goes away ends its stream, and nothing else.
  const cancelled = closed.then(() => reader.cancel()).catch(() => undefined);
  while (!to.destroyed) {
    const { done, value } = await reader.read();
    if (done) break;
    if (to.destroyed || !room.take(value.length)) to.destroy();
    else {
      if (unread === 0) stall.refresh();
      unread += value.length;
      to.write(value, () => {
        // What is not read when it closes is given back there.
        if (!to.closed) read(value.length);
        stall.refresh();
      });
    }
  }
  to.end();
  await closed;
  clearTimeout(stall);
  read(unread);
  await cancelled;
}

/** Sends why a request was refused, as an error of the protocol without an id. */
export function sendRefused(error: unknown, to: ServerResponse): void {
  if (to.headersSent) return void to.destroy();
  const known = error instanceof Refused ? error : new Refused(500, 'the gateway failed', { code: -32603 });
  const { status, code, message, headers } = known;
  // What is left of a body is not read.
  to.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  to.end(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
}
