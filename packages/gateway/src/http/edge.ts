import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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

/** The longest body of a request, in bytes. */
const longestBody = 4_194_304;

/** Refuses a request that was sent to another name than ours, or by a page of another origin: DNS rebinding. */
export function requireOwn(request: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { host = '', origin } = request.headers;
  if (!hosts.has(host.toLowerCase())) throw new Refused(403, 'the header `Host` names another server');
  const own = [...hosts].flatMap((each) => [`http://${each}`, `https://${each}`]);
  if (origin !== undefined && !own.includes(origin.toLowerCase()))
    throw new Refused(403, 'the header `Origin` names another site');
}

/** The one message that a request carries. */
export async function messageIn(request: IncomingMessage): Promise<JsonObject> {
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

/** Sends an answer of the web's form. */
export async function sendWeb(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body === null) return void to.end();
  to.flushHeaders();
  // A client that goes away ends its stream, and nothing else.
  await pipeline(Readable.fromWeb(from.body as never), to).catch(() => undefined);
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
