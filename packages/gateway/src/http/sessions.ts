import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, messageOf } from '@ambit/core';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Upstream } from '../servers/open-upstream.js';
import { type Session, sessionOf } from '../servers/session.js';
import { requireSameArguments } from './argument-headers.js';
import { busyRefusal, type Limits, Refused, requireShare } from './edge.js';

/** Ends sessions that are silent for too long. A session with a running request is not silent. */
export class Silence {
  readonly #timer: NodeJS.Timeout;
  #running = 0;

  constructor(milliseconds: number, end: () => void) {
    this.#timer = setTimeout(() => (this.#running > 0 ? this.#timer.refresh() : end()), milliseconds).unref();
  }

  /** `closed` is aborted when the request has been answered, or its client has disconnected. */
  heard(closed: AbortSignal): void {
    if (closed.aborted) return void this.#timer.refresh();
    this.#running += 1;
    const done = () => {
      this.#running -= 1;
      this.#timer.refresh();
    };
    closed.addEventListener('abort', done, { once: true });
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

interface OpenSession {
  readonly session: Session;
  readonly upstream: Upstream;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The principal that opened the session: the session id is not a credential. */
  readonly principal: string;
  /** The callbacks for the end of each running request, by its id as JSON. */
  readonly running: Map<string, () => void>;
  readonly silence: Silence;
}

/** The answer to a request, and the end of its work: a client that leaves does not end that. */
export interface Answering {
  readonly response: Response;
  readonly ended: Promise<void>;
}

/** The sessions of the protocol revisions that have sessions. */
export class Sessions {
  readonly #all = new Map<string, OpenSession>();
  readonly #ending = new Set<Promise<void>>();
  /** The principal of each session, also while its servers start. */
  readonly #principals: string[] = [];

  constructor(
    private readonly open: () => Promise<Upstream>,
    private readonly limits: Limits,
  ) {}

  async answer(request: Request, message: JsonObject | null, principal: string): Promise<Answering> {
    const id = request.headers.get('mcp-session-id');
    const isBegin = message?.method === 'initialize' && message.id !== undefined;
    if (id === null && isBegin) return this.#begin(request, message, principal);
    // A client without sessions looks for a stream that there is not.
    if (id === null && request.method === 'GET')
      throw new Refused(405, 'only a session has a stream', { headers: { allow: 'POST' } });
    if (id === null) throw new Refused(400, 'a request belongs to a session: send `initialize` first');
    const found = this.#all.get(id);
    // A session of another principal counts as unknown, like one that has ended.
    if (found === undefined || found.principal !== principal)
      throw new Refused(404, 'there is no such session', { code: -32001 });
    // Events have no ids here. A new stream in its place would hide lost events.
    if (request.headers.has('last-event-id')) throw new Refused(400, 'a stream is not resumed: open another');
    if (message !== null) {
      found.silence.heard(request.signal);
      const { upstream } = found;
      requireSameArguments(request.headers, message, { upstream, isComplete: false });
    }
    return this.#pass(request, message, found);
  }

  async end(): Promise<void> {
    for (const id of this.#all.keys()) void this.#end(id);
    await Promise.all(this.#ending);
  }

  async #begin(request: Request, message: JsonObject, principal: string): Promise<Answering> {
    const { sessions, share } = this.limits;
    if (this.#principals.length >= sessions) throw busyRefusal('too many sessions are open', 10);
    requireShare(this.#principals, principal, { most: sessions * share, of: 'sessions' });
    this.#principals.push(principal);
    const upstream = await this.open().catch((error: unknown) => {
      this.#leave(principal);
      throw new Refused(502, `the server was not started: ${messageOf(error)}`);
    });
    const session = sessionOf(upstream);
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => void this.#end(id),
    });
    const silence = new Silence(this.limits.silence, () => void this.#end(id));
    silence.heard(request.signal);
    const opened = { session, upstream, transport, principal, running: new Map(), silence };
    noteAnswers(opened);
    this.#all.set(id, opened);
    await session.downstream.connect(transport);
    const answer = await this.#pass(request, message, opened);
    if (!answer.response.ok) await this.#end(id);
    return answer;
  }

  async #pass(request: Request, message: JsonObject | null, of: OpenSession): Promise<Answering> {
    const { transport, running } = of;
    const none = Promise.resolve();
    if (message === null) return { response: await transport.handleRequest(request), ended: none };
    const { id, method, params = null } = message;
    const pass = () => transport.handleRequest(request, { parsedBody: message });
    if (method === undefined || id === undefined) {
      const response = await pass();
      const isCancelled = method === 'notifications/cancelled' && response.ok && isJsonObject(params);
      // Its handler is aborted, and gives no answer.
      if (isCancelled) noteEnd(running, params.requestId);
      return { response, ended: none };
    }
    const key = JSON.stringify(id);
    // The answer would go to the other request.
    if (running.has(key)) throw new Refused(400, 'a request with this id runs already', { code: -32600 });
    const ended = new Promise<void>((resolve) => running.set(key, resolve));
    const response = await pass();
    // It was refused, so no answer will come.
    if (!response.ok) noteEnd(running, id);
    return { response, ended };
  }

  #leave(principal: string): void {
    this.#principals.splice(this.#principals.indexOf(principal), 1);
  }

  async #end(id: string): Promise<void> {
    const found = this.#all.get(id);
    if (found === undefined) return;
    this.#all.delete(id);
    this.#leave(found.principal);
    found.silence.end();
    for (const note of found.running.values()) note();
    const ending = found.session.end().catch(() => undefined);
    this.#ending.add(ending);
    await ending;
    this.#ending.delete(ending);
  }
}

/** Notes which requests have ended. */
function noteAnswers({ transport, running }: OpenSession): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ('id' in message && !('method' in message)) noteEnd(running, message.id);
    return send(message, options);
  };
}

function noteEnd(running: OpenSession['running'], id: Json | undefined): void {
  const key = JSON.stringify(id ?? null);
  running.get(key)?.();
  running.delete(key);
}
