import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { type JsonObject, messageOf } from '@ambit/core';
import { isLegacyRequest } from '@modelcontextprotocol/server';
import { GatewayError, openUpstream, type Upstream, type UpstreamOptions } from '../servers/open-upstream.js';
import { type CanAnswer, canAnswer, Stateless } from '../stateless/stateless.js';
import type { NamedServer } from '../upstream/server-of.js';
import { requireSameArguments } from './argument-headers.js';
import {
  busyRefusal,
  type Limits,
  messageIn,
  ownPath,
  Refused,
  Room,
  requireShare,
  sendRefused,
  sendWeb,
  webRequest,
} from './edge.js';
import { type Access, principalsOf, resourceMetadata } from './principals.js';
import { type Answering, Sessions, Silence } from './sessions.js';

export interface ListenOptions extends UpstreamOptions {
  readonly host: string;
  /** The port; 0 means any free port. */
  readonly port: number;
  readonly access: Access;
  /** The public URL of the gateway, if it differs from the address on which it listens. */
  readonly resource?: string;
  /** Called with the address once the gateway listens. */
  readonly ready: (url: string) => void;
  readonly limits?: Partial<Limits>;
}

const pipelined = new Refused(400, 'the connection has an unanswered request: wait, or open another one');

/** A server that runs one request of a connection at a time, and none after a refused one: the connection then ends. */
export function serverOf(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  const last = new WeakMap<Socket, ServerResponse>();
  const server = createServer((request, response) => {
    const { socket } = request;
    const answered = last.has(socket) ? Promise.reject(pipelined) : answer(request, response);
    last.set(socket, response);
    // The end of the response before a refused one frees nothing.
    const free = () => last.get(socket) === response && last.delete(socket);
    response.once('close', free);
    answered.catch((error: unknown) => {
      response.off('close', free);
      sendRefused(error, response);
    });
  });
  server.requestTimeout = 60_000;
  return server;
}

const usualLimits = { inFlight: 2_000, sessions: 100, silence: 30 * 60_000, bytes: 67_108_864 };

/** Serves over HTTP until `signal` ends it. Each session, and each client without sessions, has a server and a run of its own. */
export async function listenGateway(options: ListenOptions): Promise<void> {
  const { host, port, access, signal } = options;
  const isOpen = access.token === undefined && access.issuer === undefined;
  if (isOpen && !isLoopback(host))
    throw new GatewayError(`\`${host}\` is reachable from other machines: give --token NAME or --issuer URL`);
  const shared = options.servers.find((each) => holds(each, access.token));
  if (shared !== undefined) throw new GatewayError('a server would get the token of the gateway’s clients');
  // Without an issuer, all clients are one principal.
  const share = access.issuer === undefined ? 1 : 1 / 4;
  const limits: Limits = { ...usualLimits, share, ...options.limits };
  const { open, close } = await openFirst(options);
  const edge: { answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> } = {
    answer: async () => undefined,
  };
  const server = serverOf((request, response) => edge.answer(request, response));
  const endpoints = new Endpoints(open, limits);
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
    edge.answer = async (request, response) => {
      const pathname = ownPath(request, hosts);
      if (pathname.startsWith('/.well-known/oauth-protected-resource') && access.issuer !== undefined)
        return sendWeb(Response.json(resourceMetadata(access, resource)), response, {
          room: endpoints.answers,
          principal: '',
        });
      if (pathname !== '/mcp') throw new Refused(404, 'the endpoint is `/mcp`');
      if (!/^(?:POST|GET|DELETE)$/.test(request.method ?? ''))
        throw new Refused(405, 'the methods are POST, GET and DELETE', {
          headers: { allow: 'POST, GET, DELETE' },
        });
      await endpoints.serve(request, response, await principals(request.headers.authorization));
    };
    options.ready(own);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    server.close();
    server.closeAllConnections();
    await endpoints.end();
    await close();
  }
}

/** The handler of the only endpoint, for sessions and for clients without sessions. */
class Endpoints {
  readonly #sessions: Sessions;
  readonly #stateless = new Map<string, OpenStateless>();
  /** The principal of each request. */
  readonly #inFlight: string[] = [];
  readonly #bodies: Room;
  readonly answers: Room;

  constructor(
    private readonly open: () => Promise<Upstream>,
    private readonly limits: Limits,
  ) {
    this.#sessions = new Sessions(open, limits);
    this.#bodies = new Room(limits.bytes, limits.share);
    this.answers = new Room(limits.bytes, limits.share);
  }

  /** Answers a request if there is room for it, for its body and for the answer. */
  async serve(request: IncomingMessage, response: ServerResponse, principal: string): Promise<void> {
    const { inFlight, share } = this.limits;
    if (this.#inFlight.length >= inFlight) throw busyRefusal('too many requests are in flight');
    requireShare(this.#inFlight, principal, { most: inFlight * share, of: 'requests in flight' });
    this.#inFlight.push(principal);
    let held = 0;
    const take = (bytes: number) => {
      const hasRoom = this.#bodies.take(bytes, principal);
      held += hasRoom ? bytes : 0;
      return hasRoom;
    };
    try {
      const message = request.method === 'POST' ? await messageIn(request, take) : null;
      const answering = await this.#answer(webRequest(request, response, message), message, principal);
      await sendWeb(answering.response, response, { room: this.answers, principal });
      await answering.ended;
    } finally {
      this.#inFlight.splice(this.#inFlight.indexOf(principal), 1);
      this.#bodies.give(held, principal);
    }
  }

  async #answer(request: Request, message: JsonObject | null, principal: string): Promise<Answering> {
    if (message === null || (await isLegacyRequest(request, message)))
      return this.#sessions.answer(request, message, principal);
    const { made, silence } = this.#statelessOf(principal, canAnswer(message));
    silence.heard(request.signal);
    const client = await made.catch((error: unknown) => {
      throw new Refused(502, `the server was not started: ${messageOf(error)}`);
    });
    requireSameArguments(request.headers, message, { upstream: client.upstream, isComplete: true });
    return { response: await client.answer(request, message), ended: Promise.resolve() };
  }

  async end(): Promise<void> {
    await Promise.all([...this.#stateless].map(([key, each]) => this.#end(key, each)));
    await this.#sessions.end();
  }

  #statelessOf(principal: string, can: CanAnswer): OpenStateless {
    const key = JSON.stringify([principal, can]);
    const known = this.#stateless.get(key);
    const servers = known?.upstream?.routes.servers ?? [];
    const isOver = servers.length > 0 && servers.every(({ running }) => running.ended !== null);
    if (known !== undefined && !isOver) return known;
    // It cannot start again by itself.
    if (known !== undefined) void this.#end(key, known);
    if (this.#stateless.size >= mostPrincipals) throw busyRefusal('too many clients', 10);
    const opened: OpenStateless = {
      upstream: null,
      silence: new Silence(this.limits.silence, () => void this.#end(key, opened)),
      made: this.open().then((upstream) => {
        opened.upstream = upstream;
        return new Stateless(upstream, principal, can);
      }),
    };
    opened.made.catch(() => this.#end(key, opened));
    this.#stateless.set(key, opened);
    return opened;
  }

  async #end(key: string, opened: OpenStateless): Promise<void> {
    if (this.#stateless.get(key) === opened) this.#stateless.delete(key);
    opened.silence.end();
    await opened.made.then((each) => each.end()).catch(() => undefined);
  }
}

interface OpenStateless {
  upstream: Upstream | null;
  readonly made: Promise<Stateless>;
  readonly silence: Silence;
}

const mostPrincipals = 100;

/**
 * Starts the servers immediately, so that a failure ends the gateway at its start. The first client uses them; `close`
 * ends them if they were never used.
 */
async function openFirst(options: UpstreamOptions) {
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

/** Whether a server's variables, headers, URL or command line hold a text. */
function holds({ command, environment }: NamedServer, text: string | undefined): boolean {
  if (text === undefined) return false;
  return JSON.stringify([command, environment]).includes(JSON.stringify(text).slice(1, -1));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
