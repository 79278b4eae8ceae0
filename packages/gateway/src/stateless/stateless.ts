import { isJsonObject, type JsonObject, objectOf } from '@ambit/core';
import { jsonDigest } from '@ambit/runtime';
import { hasTasks, tasksExtension } from '@ambit/toolsets';
import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  type McpHttpHandler,
  type RequestStateCodec,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { approvalForm, decisionIn, takesForms } from '../serve/ask.js';
import { answerExtension, extensionMethods } from '../serve/extension-tasks.js';
import { BadParams, paramsOf } from '../serve/methods.js';
import { progressOf } from '../serve/notices.js';
import type { Asking } from '../serve/pass-if-permitted.js';
import { type CanBeAsked, type Handler, handlerOf, isPassed, NoSuchMethod } from '../serve/serve.js';
import type { Upstream } from '../servers/open-upstream.js';
import { capabilitiesOf, instructionsOf, nameOf } from '../servers/session.js';
import { type Attempt, type Continue, KeptCalls, type Shown } from './kept-calls.js';

/** The state that a client's answer is bound to. The client holds it, sealed by a MAC. */
interface Sealed {
  /** The call that our question is about, or the id of a server's question: its answer is accepted once. */
  readonly id: string;
  /** The digest of the method and its parameters. */
  readonly request: string;
  readonly [more: string]: string;
}

/** What a client without sessions declares that it can answer. */
export interface CanAnswer extends Pick<CanBeAsked, 'forms' | 'sampling'> {
  /** Whether results of calls may be tasks. */
  readonly tasks: boolean;
}

/** The parts of a request's `clientCapabilities` that matter here. */
export function canAnswer({ params }: JsonObject): CanAnswer {
  const meta = objectOf(objectOf(params)._meta);
  const declared = objectOf(meta['io.modelcontextprotocol/clientCapabilities']);
  const { elicitation = null, sampling = null } = declared;
  return {
    forms: isJsonObject(elicitation) && takesForms(elicitation),
    sampling: isJsonObject(sampling) ? (isJsonObject(sampling.tools) ? { tools: {} } : {}) : null,
    tasks: hasTasks(declared),
  };
}

/** The one client of a principal in the stateless revision: all its requests are one run, with one server. */
export class Stateless {
  readonly #handler: Handler;
  readonly #codec: RequestStateCodec<Sealed>;
  /** Our questions without an answer, and when each expires, by a clock that nobody can set back. */
  readonly #expiryOf = new Map<string, number>();
  readonly #calls = new KeptCalls();
  readonly #http: McpHttpHandler;
  #connected: Server | null = null;

  /** `principal`: the sender of the requests. */
  constructor(
    readonly upstream: Upstream,
    principal: string,
    private readonly can: CanAnswer,
  ) {
    this.#handler = handlerOf(upstream, () => can.forms);
    this.#codec = createRequestStateCodec<Sealed>({
      key: crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: seconds,
      bind: ({ mcpReq }) => `${mcpReq.method}\0${principal}`,
    });
    this.#http = createMcpHandler(
      ({ requestInfo }) => this.#server(requestInfo?.headers.get('mcp-method') ?? ''),
      { legacy: 'reject', maxSubscriptions: 16 },
    );
    upstream.downstream = {
      answer: (question) =>
        this.#handler.pass(question, { ...can, ask: (own) => this.#calls.ask(own, question.signal) }),
      notify: ({ method }) => {
        const [, list] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? [];
        if (list === undefined) return;
        this.#http.notify[`${list as 'tools' | 'prompts' | 'resources'}Changed`]();
        this.#connected?.notification({ method }).catch(() => undefined);
      },
    };
  }

  /** The one server of a client on standard input and output. */
  connected(): Server {
    this.#connected = this.#server(null);
    return this.#connected;
  }

  answer(request: Request, message: JsonObject): Promise<Response> {
    return this.#http.fetch(request, { parsedBody: message });
  }

  async end(): Promise<void> {
    try {
      this.#calls.end();
      await this.#http.close();
      await this.#handler.end();
    } finally {
      await this.upstream.close();
    }
  }

  /** `only`: the method of the one request that it serves, from its header; null if it serves all. */
  #server(only: string | null): Server {
    // No session exists that could have a log level or a subscription.
    const { logging: _, tasks: __, resources, ...capabilities } = capabilitiesOf(this.upstream);
    const server = new Server(
      { name: nameOf(this.upstream), version: '1' },
      {
        capabilities: {
          ...capabilities,
          ...(resources && { resources: { listChanged: true } }),
          ...(this.#hasTasks && { extensions: { [tasksExtension]: {} } }),
        },
        ...instructionsOf(this.upstream),
      },
    );
    if (this.#hasTasks && this.can.tasks) this.#serveTasks(server);
    const isServed = (method: string) => !ofSessions.has(method) && isPassed(method, this.upstream);
    // The SDK answers it with 404.
    if (only !== null && !isServed(only)) return server;
    server.fallbackRequestHandler = async ({ method, params: given }, context) => {
      if (!isServed(method)) throw new NoSuchMethod(`the gateway does not pass \`${method}\` on`);
      // In this revision, the server decides which calls become tasks.
      const { inputResponses: _, requestState: __, task: ___, ...rest } = paramsOf(given);
      const of: ClientRequest = { method, params: rest };
      const answered = await this.#answered(of, context);
      const attempt = {
        signal: context.mcpReq.signal,
        ...progressOf(rest, (known) =>
          context.mcpReq.notify({ method: 'notifications/progress', params: { ...known } }),
        ),
      };
      const answer: Asking['answer'] = async (message, id) => {
        this.#noteAsked(id);
        const question = { method: 'elicitation/create', params: approvalForm(message) } as const;
        return { ask: await this.#question('approval', { id, ...question }, of, context) };
      };
      const handle = (as: Omit<Asking, 'answer'>) =>
        this.#handler.handle(method, rest, { ...as, answer, takesTask: this.can.tasks });
      const start = (as: Attempt) =>
        handle({ ...as, ...(answered !== null && 'id' in answered && { answered }) });
      const outcome = await (answered !== null && 'proceed' in answered
        ? answered.proceed(answered.response, attempt)
        : askable.has(method)
          ? this.#calls.run(attempt, start)
          : start(attempt).then((result) => ({ result })));
      if ('question' in outcome) return this.#question('question', outcome.question, of, context);
      const { result } = outcome;
      return { ...result, ...(cacheable.has(method) && { ttlMs: 0, cacheScope: 'private' }) };
    };
    return server;
  }

  get #hasTasks(): boolean {
    return this.upstream.routes.servers.some(({ running }) => hasTasks(running.greeting.capabilities));
  }

  #serveTasks(server: Server): void {
    const { forms } = this.can;
    const params = z.looseObject({ taskId: z.string() });
    for (const method of extensionMethods)
      server.setRequestHandler(method, { params }, ({ taskId }, { mcpReq }) => {
        const request = { method, taskId, responses: mcpReq.inputResponses ?? {} };
        const context = { serving: this.upstream, forms, asking: { signal: mcpReq.signal } };
        return this.#handler.counted(() => answerExtension(request, context));
      });
  }

  /** Answers to questions that were never asked are refused. */
  #noteAsked(id: string): void {
    this.#expiryOf.set(id, performance.now() + seconds * 1000);
    for (const oldest of this.#expiryOf.keys()) {
      if (this.#expiryOf.size <= mostQuestions) break;
      this.#expiryOf.delete(oldest);
    }
  }

  /** The result that puts the questions to the client. */
  async #question(
    key: 'approval' | 'question',
    { id, ...question }: Shown,
    of: ClientRequest,
    context: ServerContext,
  ): Promise<JsonObject> {
    const requestState = await this.#codec.mint({ id, request: digestOf(of) }, context);
    return inputRequired({ inputRequests: { [key]: question as never }, requestState }) as never;
  }

  /** The answer, sent with the request, to our question or a server's; null if there is none. */
  async #answered(
    of: ClientRequest,
    context: ServerContext,
  ): Promise<NonNullable<Asking['answered']> | { proceed: Continue; response: JsonObject | null } | null> {
    const { inputResponses = {}, requestState } = context.mcpReq;
    const state = requestState<unknown>();
    if (state === undefined && context.mcpReq.inputResponses === undefined) return null;
    if (typeof state !== 'string') throw new BadParams('an answer comes with its `requestState`');
    const sealed = await this.#codec.verify(state, context).catch(() => null);
    if (sealed === null || sealed.request !== digestOf(of))
      throw new BadParams('Invalid or expired requestState');
    const { id } = sealed;
    const until = this.#expiryOf.get(id) ?? Number.POSITIVE_INFINITY;
    if (performance.now() > until) throw new BadParams('Invalid or expired requestState');
    // The question is removed before any await, so that its answer is used once.
    if (this.#expiryOf.delete(id)) return { id, decision: decisionIn(inputResponses.approval ?? null) };
    const proceed = this.#calls.take(id);
    if (proceed === null) throw new BadParams('this question was answered already');
    const response = (inputResponses.question ?? null) as JsonObject | null;
    return { proceed, response: isJsonObject(response) ? response : null };
  }
}

/** The methods whose results may be questions. */
const askable: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** How long a client has for an answer. */
const seconds = 600;
/** The most questions that wait for an answer; the oldest ones expire. */
const mostQuestions = 1_000;

interface ClientRequest {
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
function digestOf({ method, params: { _meta, ...params } }: ClientRequest): string {
  return jsonDigest({ method, params });
}
