import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, messageOf } from '@ambit/core';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Upstream } from '../servers/open-upstream.js';
import { type Session, sessionOf } from '../servers/session.js';
import { busy, type Limits, Refused } from './edge.js';

/** Ends sessions that are silent for too long. A session with a running request is not silent. */
export class Silence {
  readonly #timer: NodeJS.Timeout;
  #running = 0;

  constructor(milliseconds: number, end: () => void) {
    this.#timer = setTimeout(() => (this.#running > 0 ? this.#timer.refresh() : end()), milliseconds).unref();
  }

  /** `closed` is aborted when the request has been answered, or its client has disconnected. */
  heard(closed: AbortSignal): void {
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
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The principal that opened the session: the session id is not a credential. */
  readonly principal: string;
  /** The running requests, by their ids as JSON. */
  readonly running: Set<string>;
  readonly silence: Silence;
}

/** The sessions of the protocol revisions that have sessions. */
export class Sessions {
  readonly #open: () => Promise<Upstream>;
  readonly #limits: Pick<Limits, 'sessions' | 'silence'>;
  readonly #all = new Map<string, OpenSession>();
  readonly #ending = new Set<Promise<void>>();
  #opening = 0;

  constructor(open: () => Promise<Upstream>, limits: Pick<Limits, 'sessions' | 'silence'>) {
    this.#open = open;
    this.#limits = limits;
  }

  async answer(request: Request, message: JsonObject | null, principal: string): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null && message?.method === 'initialize') return this.#begin(request, message, principal);
    if (id === null) throw new Refused(400, 'a request belongs to a session: send `initialize` first');
    const found = this.#all.get(id);
    // A session of another principal counts as unknown, like one that has ended.
    if (found === undefined || found.principal !== principal)
      throw new Refused(404, 'there is no such session', { code: -32001 });
    if (message?.method === 'initialize') throw new Refused(400, 'the session has begun already');
    if (message !== null) found.silence.heard(request.signal);
    return this.#pass(request, message, found);
  }

  async end(): Promise<void> {
    for (const id of this.#all.keys()) void this.#end(id);
    await Promise.all(this.#ending);
  }

  async #begin(request: Request, message: JsonObject, principal: string): Promise<Response> {
    if (this.#all.size + this.#opening >= this.#limits.sessions) throw busy('too many sessions are open', 10);
    this.#opening += 1;
    try {
      const upstream = await this.#open().catch((error: unknown) => {
        throw new Refused(502, `the server was not started: ${messageOf(error)}`);
      });
      const session = sessionOf(upstream);
      const id = randomUUID();
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        onsessionclosed: () => void this.#end(id),
      });
      const silence = new Silence(this.#limits.silence, () => void this.#end(id));
      silence.heard(request.signal);
      const opened: OpenSession = {
        session,
        transport,
        principal,
        running: new Set(),
        silence,
      };
      noteAnswers(opened);
      this.#all.set(id, opened);
      await session.downstream.connect(transport);
      const answer = await this.#pass(request, message, opened);
      if (!answer.ok) await this.#end(id);
      return answer;
    } finally {
      this.#opening -= 1;
    }
  }

  async #pass(request: Request, message: JsonObject | null, of: OpenSession): Promise<Response> {
    const { transport, running } = of;
    if (message === null) return transport.handleRequest(request);
    const { method, params = null } = message;
    if (method === 'notifications/cancelled' && isJsonObject(params))
      running.delete(JSON.stringify(params.requestId ?? null));
    const key = 'method' in message && message.id !== undefined ? JSON.stringify(message.id) : null;
    if (key === null) return transport.handleRequest(request, { parsedBody: message });
    // The answer would go to the other request.
    if (running.has(key)) throw new Refused(400, 'a request with this id runs already', { code: -32600 });
    running.add(key);
    return transport.handleRequest(request, { parsedBody: message });
  }

  async #end(id: string): Promise<void> {
    const found = this.#all.get(id);
    if (found === undefined) return;
    this.#all.delete(id);
    found.silence.end();
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
    if ('id' in message && !('method' in message)) running.delete(JSON.stringify(message.id));
    return send(message, options);
  };
}
