import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { isJsonObject, type JsonObject, messageOf } from '@ambit/core';
import { isLegacyRequest } from '@modelcontextprotocol/server';
import { takesForms } from '../serve/ask.js';
import { GatewayError, openUpstream, type Upstream, type UpstreamOptions } from '../servers/open-upstream.js';
import { Stateless } from '../stateless/stateless.js';
import { messageIn, Refused, requireOwn, sendRefused, sendWeb, webRequest } from './edge.js';
import { type Access, principalsOf, resourceMetadata } from './principals.js';
import { Sessions } from './sessions.js';

export interface ListenOptions extends UpstreamOptions {
  readonly host: string;
  /** 0 is any that is free. */
  readonly port: number;
  readonly access: Access;
  /** The URL that clients know the gateway by, where it is another than the address that it listens at. */
  readonly resource?: string;
  /** Told where it listens, once it does. */
  readonly ready: (url: string) => void;
}

/** The most requests in flight, of all clients together. */
const mostInFlight = 2_000;

/** Serves over HTTP until `signal` ends it. Each session, and each client without sessions, has a server and a run of its own. */
export async function listenGateway(options: ListenOptions): Promise<void> {
  const { host, port, access, signal } = options;
  const isOpen = access.token === undefined && access.issuer === undefined;
  if (isOpen && !isLoopback(host))
    throw new GatewayError(`\`${host}\` is reached from other machines: clients need a token there`);
  const { open, close } = await firstOpened(options);
  const edge: { answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> } = {
    answer: async () => undefined,
  };
  const server = createServer((request, response) => {
    edge.answer(request, response).catch((error: unknown) => sendRefused(error, response));
  });
  server.requestTimeout = 60_000;
  const ends = new Endpoints(open);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    const address = server.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    const own = `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}/mcp`;
    const resource = options.resource ?? own;
    const hosts = new Set([new URL(own).host, new URL(resource).host]);
    if (isLoopback(host))
      for (const name of ['localhost', '127.0.0.1', '[::1]']) hosts.add(`${name}:${bound}`);
    const principals = await principalsOf(access, resource);
    let inFlight = 0;
    edge.answer = async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', own);
      requireOwn(request, hosts);
      if (pathname.startsWith('/.well-known/oauth-protected-resource') && access.issuer !== undefined)
        return sendWeb(Response.json(resourceMetadata(access, resource)), response);
      if (pathname !== '/mcp') throw new Refused(404, 'the endpoint is `/mcp`');
      const principal = await principals(request.headers.authorization);
      if (inFlight >= mostInFlight)
        throw new Refused(503, 'too many requests are in flight', { headers: { 'retry-after': '1' } });
      inFlight += 1;
      try {
        const message = request.method === 'POST' ? await messageIn(request) : null;
        await sendWeb(
          await ends.answer(webRequest(request, response, message), message, principal),
          response,
        );
      } finally {
        inFlight -= 1;
      }
    };
    options.ready(own);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    server.close();
    server.closeAllConnections();
    await ends.end();
    await close();
  }
}

/** What answers at the one endpoint: sessions, and clients without them. */
class Endpoints {
  readonly #open: () => Promise<Upstream>;
  readonly #sessions: Sessions;
  readonly #stateless = new Map<string, Promise<Stateless>>();

  constructor(open: () => Promise<Upstream>) {
    this.#open = open;
    this.#sessions = new Sessions(open);
  }

  async answer(request: Request, message: JsonObject | null, principal: string): Promise<Response> {
    if (message === null || (await isLegacyRequest(request, message)))
      return this.#sessions.answer(request, message, principal);
    return (await this.#statelessOf(principal, canAsk(message))).answer(request, message);
  }

  async end(): Promise<void> {
    const all = await Promise.allSettled(this.#stateless.values());
    const begun = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.allSettled(begun.map((each) => each.end()));
    await this.#sessions.end();
  }

  async #statelessOf(principal: string, asks: boolean): Promise<Stateless> {
    const key = JSON.stringify([principal, asks]);
    const known = this.#stateless.get(key);
    if (known !== undefined) return known;
    if (this.#stateless.size >= mostPrincipals) throw new Refused(503, 'too many clients');
    const made = this.#open().then((upstream) => new Stateless(upstream, { principal, asks }));
    this.#stateless.set(key, made);
    try {
      return await made;
    } catch (error) {
      this.#stateless.delete(key);
      throw new Refused(502, `the server was not started: ${messageOf(error)}`);
    }
  }
}

const mostPrincipals = 100;

/** Whether a client without sessions says that its user can be asked by a form. */
function canAsk({ params = null }: JsonObject): boolean {
  const meta = isJsonObject(params) ? (params._meta ?? null) : null;
  const capabilities = isJsonObject(meta) ? meta['io.modelcontextprotocol/clientCapabilities'] : null;
  const asked = isJsonObject(capabilities ?? null) ? (capabilities as JsonObject).elicitation : null;
  return isJsonObject(asked ?? null) && takesForms(asked as JsonObject);
}

interface Opening {
  readonly open: () => Promise<Upstream>;
  /** Ends servers that were never used. */
  readonly close: () => Promise<void>;
}

/** Starts the servers at once, so that a failure ends the gateway at its start. The first client gets them. */
async function firstOpened(options: UpstreamOptions): Promise<Opening> {
  let spare: Upstream | null = await openUpstream(options);
  const close = async () => spare?.close();
  const open = async () => {
    const first = spare;
    spare = null;
    if (first?.routes.servers.every(({ running }) => running.ended === null)) return first;
    await first?.close();
    return openUpstream({ ...options, say: () => undefined });
  };
  return { open, close };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
