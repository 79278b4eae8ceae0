import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { isJson, isJsonObject, type Json, type JsonObject, objectOf, whyUnkept } from '@ambit/core';
import { asWritten, mark } from '@ambit/toolsets';

/** An answer that ends a request before any message is read or passed on. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: number,
    message: string,
    readonly more: { code?: number; headers?: Record<string, string>; id?: Json | undefined } = {},
  ) {
    super(message);
  }
}

/** Limits for all clients together. */
export interface Limits {
  /** The most unanswered requests. */
  readonly inFlight: number;
  /** The most open sessions: each has a server of its own. */
  readonly sessions: number;
  /** The part of requests, sessions and bytes that one principal may have. */
  readonly share: number;
  /** Milliseconds without a request after which a session, or a client without sessions, is forgotten. */
  readonly silence: number;
  /** The most bytes of unanswered requests, and of unread answers. */
  readonly bytes: number;
}

/** The longest body of a request, in bytes. */
const longestBody = 4_194_304;
/** The most milliseconds that a client may leave an answer unread. */
const longestStall = 60_000;

/** The number of bytes that are held for all clients together. */
export class Room {
  #left: number;
  readonly #most: number;
  readonly #held = new Map<string, number>();

  /** `share`: the part that one principal may hold. */
  constructor(bytes: number, share: number) {
    this.#left = bytes;
    this.#most = bytes * share;
  }

  /** Returns false if there is no room; then no bytes are reserved. The first part of a principal may exceed its share. */
  take(bytes: number, principal: string): boolean {
    const held = this.#held.get(principal) ?? 0;
    if (bytes > this.#left || (held > 0 && held + bytes > this.#most)) return false;
    this.#left -= bytes;
    this.#held.set(principal, held + bytes);
    return true;
  }

  give(bytes: number, principal: string): void {
    const held = (this.#held.get(principal) ?? 0) - bytes;
    this.#left += bytes;
    if (held > 0) this.#held.set(principal, held);
    else this.#held.delete(principal);
  }
}

/**
 * The path that a request is for. Refuses one that was sent to a foreign host name, or by a page of another origin: DNS
 * rebinding.
 */
export function ownPath(
  { headers, headersDistinct, url = '' }: IncomingMessage,
  hosts: ReadonlySet<string>,
): string {
  const { host = '', origin } = headers;
  // Node takes the first one, and an intermediary perhaps the other.
  if (headersDistinct.host?.length !== 1) throw new Refused(400, 'a request needs exactly one `Host` header');
  if (!hosts.has(host.toLowerCase())) throw new Refused(403, 'the header `Host` names another server');
  if (!URL.canParse(url, `http://${host}`)) throw new Refused(400, 'the request target is not a URL');
  const target = new URL(url, `http://${host}`);
  if (!hosts.has(target.host)) throw new Refused(403, 'the request target names another server');
  const own = [...hosts].flatMap((each) => [`http://${each}`, `https://${each}`]);
  if (origin !== undefined && !own.includes(origin.toLowerCase()))
    throw new Refused(403, 'the header `Origin` names another site');
  return target.pathname;
}

/** The one message of a request. `take` must find room for each part of it. */
export async function messageIn(
  request: IncomingMessage,
  take: (bytes: number) => boolean,
): Promise<JsonObject> {
  const {
    'content-type': type = '',
    'content-length': said = '0',
    'content-encoding': coding,
  } = request.headers;
  if (!/^application\/json\s*(?:;\s*charset=(?:utf-?8|"utf-?8")\s*)?$/i.test(type))
    throw new Refused(415, 'a message is sent as `application/json`, in UTF-8');
  if (coding !== undefined) throw new Refused(415, 'a message is sent without `Content-Encoding`');
  const tooLong = () => new Refused(413, `a message has at most ${longestBody} bytes`);
  if (Number(said) > longestBody) throw tooLong();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestBody) throw tooLong();
    if (!take(chunk.length)) throw busyRefusal('too many messages are read at once');
    chunks.push(chunk);
  }
  const { message, why } = parseMessage(Buffer.concat(chunks));
  if (!isJsonObject(message)) throw new Refused(400, 'a request carries one message', { code: -32600 });
  if (why !== null) throw new Refused(400, why, { code: -32600, id: message.id });
  requireSame(request, message);
  return message;
}

function parseMessage(bytes: Buffer) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const message: unknown = JSON.parse(text);
    if (isJson(message)) return { message, why: whyUnkept(text) };
  } catch {
    // The message is refused below, like a value that is not plain JSON.
  }
  throw new Refused(400, 'the body is not JSON in UTF-8', { code: -32700 });
}

/** Requires that headers about the message agree with it, because intermediaries decide by them. */
function requireSame({ headers }: IncomingMessage, message: JsonObject): void {
  const { method, params } = message;
  const { 'mcp-method': saidMethod, 'mcp-name': saidName } = headers;
  const isTask = typeof method === 'string' && method.startsWith('tasks/');
  const key = method === 'resources/read' ? 'uri' : isTask ? 'taskId' : 'name';
  const named = objectOf(params)[key];
  const differs =
    (saidMethod !== undefined && saidMethod !== method) ||
    (saidName !== undefined && decodedHeader(String(saidName)) !== named);
  if (differs) throw headerRefusal(message);
}

/** The value of a header: one that is not plain ASCII is in Base64. Null if that is not in its one form. */
export function decodedHeader(value: string): string | null {
  const [, base64] = /^=\?base64\?(.*)\?=$/i.exec(value) ?? [];
  if (base64 === undefined) return value;
  const decoded = Buffer.from(base64, 'base64');
  return decoded.toString('base64') === base64 && isUtf8(decoded) ? decoded.toString() : null;
}

/** The refusal of a message that differs from its headers. The client needs its id to identify the call. */
export function headerRefusal({ id }: JsonObject): Refused {
  return new Refused(400, 'headers and body differ', { code: -32020, id });
}

/**
 * The request as a web `Request`, without its body and its credentials: code behind the edge never receives
 * them.
 */
export function webRequest(
  request: IncomingMessage,
  response: ServerResponse,
  message: JsonObject | null,
): Request {
  const closing = new AbortController();
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (name !== 'authorization' && name !== 'cookie' && name !== 'content-length' && value !== undefined)
      headers.set(name, String(value));
  const { method = 'GET' } = request;
  const made = new Request(new URL('http://gateway/mcp'), {
    method,
    headers,
    signal: closing.signal,
    ...(message !== null && { body: JSON.stringify(message) }),
  });
  // A request that is collected as garbage no longer passes the signal on, so this holds it.
  const held = new Set([made]);
  response.once('close', () => {
    closing.abort();
    held.clear();
  });
  return made;
}

/** A refusal after which the client may try again. */
export function busyRefusal(message: string, seconds = 1): Refused {
  return new Refused(503, message, { headers: { 'retry-after': `${seconds}` } });
}

/** Refuses a principal its share of what all have. `all`: the principal of each. */
export function requireShare(
  all: readonly string[],
  principal: string,
  { most, of }: { readonly most: number; readonly of: string },
): void {
  const count = all.filter((each) => each === principal).length;
  if (count < most) return;
  const message = `this principal has ${count} ${of}: end one of them first`;
  throw new Refused(429, message, { headers: { 'retry-after': '10' } });
}

/**
 * Sends a web `Response`. Unread bytes are held in `room` if their size is known. The connection ends if
 * there is no room, or if the client does not read in time.
 */
export async function sendWeb(
  from: Response,
  to: ServerResponse,
  { room, principal }: { readonly room: Room; readonly principal: string },
): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body === null) return void to.end();
  to.flushHeaders();
  const reader = from.body.getReader();
  let unread = 0;
  const read = (bytes: number) => {
    unread -= bytes;
    room.give(bytes, principal);
  };
  const stall = setTimeout(() => unread > 0 && to.destroy(), longestStall).unref();
  const closed = finished(to).catch(() => undefined);
  // A client that disconnects ends its stream, and nothing else.
  const cancelled = closed.then(() => reader.cancel()).catch(() => undefined);
  while (!to.destroyed) {
    const { done, value: part } = await reader.read();
    if (done) break;
    // Each message is in one part.
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
    const value = bytes.includes(mark) ? Buffer.from(asWritten(bytes.toString())) : bytes;
    if (to.destroyed || !room.take(value.length, principal)) to.destroy();
    else {
      if (unread === 0) stall.refresh();
      unread += value.length;
      to.write(value, () => {
        // Bytes that are unread when the connection closes are released there.
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

/** Sends the reason for a refused request, as a protocol error, mostly without an id. */
export function sendRefused(error: unknown, to: ServerResponse): void {
  if (to.headersSent) return void to.destroy();
  const known = error instanceof Refused ? error : new Refused(500, 'the gateway failed', { code: -32603 });
  const { status, message } = known;
  const { code = -32000, headers, id = null } = known.more;
  // The rest of a body is not read.
  to.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  to.end(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
}
