import { createHash } from 'node:crypto';
import { canonicalJson } from '@ambit/audit';
import { isJsonObject, type JsonObject } from '@ambit/core';
import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  type McpHttpHandler,
  type RequestStateCodec,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { approvalForm, decisionIn } from '../serve/ask.js';
import type { Asking } from '../serve/judged.js';
import { BadParams } from '../serve/methods.js';
import { type Handler, handlerOf, isPassed, progressOf } from '../serve/serve.js';
import type { Upstream } from '../servers/open-upstream.js';
import { capabilitiesOf, instructionsOf, nameOf } from '../servers/session.js';

/** The state that a client's answer is bound to. The client holds it, sealed by a MAC. */
interface Sealed {
  /** The call that the question is about: its answer is accepted once. */
  readonly id: string;
  /** The digest of the method and its parameters. */
  readonly request: string;
  readonly [more: string]: string;
}

/** The one client of a principal in the stateless revision: all its requests are one run, with one server. */
export class Stateless {
  readonly #handler: Handler;
  readonly #upstream: Upstream;
  readonly #codec: RequestStateCodec<Sealed>;
  readonly #asksOf = new Set<string>();
  readonly #http: McpHttpHandler;

  /** `principal`: the sender of the requests; `asks`: whether its user can be asked by a form. */
  constructor(
    upstream: Upstream,
    { principal, asks }: { readonly principal: string; readonly asks: boolean },
  ) {
    this.#upstream = upstream;
    this.#handler = handlerOf(upstream, () => asks);
    this.#codec = createRequestStateCodec<Sealed>({
      key: crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: 600,
      bind: ({ mcpReq }) => `${mcpReq.method}\0${principal}`,
    });
    this.#http = createMcpHandler(
      ({ requestInfo }) => this.#server(requestInfo?.headers.get('mcp-method') ?? ''),
      { legacy: 'reject', maxSubscriptions: 16 },
    );
    const { notify } = this.#http;
    upstream.downstream = {
      // A server's own question during a call has no channel.
      answer: async () => null,
      notify({ method }) {
        if (method === 'notifications/tools/list_changed') notify.toolsChanged();
        if (method === 'notifications/prompts/list_changed') notify.promptsChanged();
        if (method === 'notifications/resources/list_changed') notify.resourcesChanged();
      },
    };
  }

  answer(request: Request, message: JsonObject): Promise<Response> {
    return this.#http.fetch(request, { parsedBody: message });
  }

  async end(): Promise<void> {
    try {
      await this.#http.close();
      await this.#handler.end();
    } finally {
      await this.#upstream.close();
    }
  }

  /** `method`: the method of the one request that it serves, from its header. */
  #server(method: string): Server {
    // No session exists that could have a log level or a subscription.
    const { logging: _, tasks: __, resources, ...capabilities } = capabilitiesOf(this.#upstream);
    const server = new Server(
      { name: nameOf(this.#upstream), version: '1' },
      {
        capabilities: { ...capabilities, ...(resources && { resources: { listChanged: true } }) },
        ...instructionsOf(this.#upstream),
      },
    );
    // The SDK would answer it with 404.
    if (ofSessions.has(method) || !isPassed(method, this.#upstream)) return server;
    server.fallbackRequestHandler = async ({ method, params: given }, context) => {
      const params: unknown = given ?? {};
      if (!isJsonObject(params)) throw new BadParams('the parameters are no plain JSON object');
      // Tasks belong to sessions and are not part of this revision.
      const { inputResponses: _, requestState: __, task: ___, ...rest } = params;
      const answered = await this.#answered(method, rest, context);
      const asking: Asking = {
        signal: context.mcpReq.signal,
        ...progressOf(rest, (known) =>
          context.mcpReq.notify({ method: 'notifications/progress', params: { ...known } }),
        ),
        ...(answered !== null && { answered }),
        answer: async (message, id) => ({
          ask: await this.#question(message, id, { method, params: rest }, context),
        }),
      };
      const result = await this.#handler.handle(method, rest, asking);
      return { ...result, ...(cacheable.has(method) && { ttlMs: 0, cacheScope: 'private' }) };
    };
    return server;
  }

  async #question(message: string, id: string, of: Asked, context: ServerContext): Promise<JsonObject> {
    // Answers to questions that were never asked are refused.
    this.#asksOf.add(id);
    for (const oldest of this.#asksOf) {
      if (this.#asksOf.size <= mostQuestions) break;
      this.#asksOf.delete(oldest);
    }
    const requestState = await this.#codec.mint({ id, request: digestOf(of) }, context);
    const approval = inputRequired.elicit(approvalForm(message) as never);
    return inputRequired({ inputRequests: { approval }, requestState }) as unknown as JsonObject;
  }

  /** The answer, sent with the request, to a question from Ambit; null if there is none. */
  async #answered(method: string, params: JsonObject, context: ServerContext) {
    const { inputResponses, requestState } = context.mcpReq;
    const state = requestState<unknown>();
    if (state === undefined && inputResponses === undefined) return null;
    if (typeof state !== 'string') throw new BadParams('an answer comes with its `requestState`');
    const sealed = await this.#codec.verify(state, context).catch(() => null);
    if (sealed === null || sealed.request !== digestOf({ method, params }))
      throw new BadParams('Invalid or expired requestState');
    // The answer is removed before any await, so that it is used once.
    if (!this.#asksOf.delete(sealed.id)) throw new BadParams('this question was answered already');
    return { id: sealed.id, decision: decisionIn(inputResponses?.approval ?? null) };
  }
}

/** The most questions that wait for an answer; the oldest ones expire. */
const mostQuestions = 1_000;

interface Asked {
  readonly method: string;
  readonly params: JsonObject;
}

const ofSessions: ReadonlySet<string> = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

const cacheable: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** The parameters without `_meta`, which differs at each try. */
function digestOf({ method, params: { _meta, ...params } }: Asked): string {
  return createHash('sha256').update(canonicalJson({ method, params })).digest('hex');
}
