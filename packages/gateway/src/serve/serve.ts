import { setTimeout as pause } from 'node:timers/promises';
import { DependentCalls, isJsonObject, type Json, type JsonObject, ownMember, printable } from '@ambit/core';
import { firstStateless } from '@ambit/toolsets';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { UnsupportedProtocolVersionError } from '@modelcontextprotocol/server';
import type { List } from '../pins/entry-pins.js';
import { type Ask, asApproval, ask, type ClientQuestion, canElicit } from './ask.js';
import { linksIn } from './links.js';
import { BadParams, methods, paramsOf } from './methods.js';
import { type Notice, progressOf, subscribing } from './notices.js';
import {
  type Asking,
  type ClientState,
  type Judge,
  passIfPermitted,
  requireRunning,
  type Serving,
  withServerErrors,
} from './pass-if-permitted.js';
import { entriesOf, inTime, isList, type Served } from './routes.js';
import { passSampling } from './sampling.js';
import { shownList, shownTools } from './shown.js';
import { answerTask, takesTasks, taskMade, taskWanted, wantsOtherTask } from './tasks.js';
import { elicitationOf, errorIn, refusal, tellCancelled } from './texts.js';

/** Answers requests until it is ended. */
export interface Handler {
  handle(method: string, params: JsonObject, asking: Asking): Promise<JsonObject>;
  /** Counts a request that is answered elsewhere. Rejects if too many wait for an answer. */
  counted(answer: () => Promise<JsonObject>): Promise<JsonObject>;
  /** Passes a server's question to the client's user, or its model; null if it is not answered. */
  pass(question: ServersQuestion, to: CanBeAsked): Promise<JsonObject | null>;
  end(): Promise<void>;
}

interface ServersQuestion extends ClientQuestion {
  readonly server: string;
  readonly signal: AbortSignal;
}

export interface CanBeAsked {
  /** Whether the client's user can be asked by a form. */
  readonly forms: boolean;
  /** The model capability that the client declares; null if it has none. */
  readonly sampling: object | null;
  readonly ask: Ask;
}

/** The functions of a client that a server can use. */
export interface Downstream {
  answer(question: ServersQuestion): Promise<JsonObject | null>;
  notify(notice: Notice): void;
}

/** A request that is not in the table, or that the server does not support. */
export class NoSuchMethod extends Error {
  readonly code = -32601;
}

class Busy extends Error {
  readonly code = -32000;
}

/** The most requests of a client that wait for an answer. */
const mostInFlight = 1_000;
/** The most questions of servers that a client has at once. */
const mostQuestions = 20;

/** Answers every request of a client. A request that is not in a table is refused. */
export function handlerOf(serving: Serving, asks: () => boolean): Handler {
  let judge: Promise<Judge> | null = null;
  const judging = () => {
    judge ??= serving.open(asks());
    return judge;
  };
  const dependent = new DependentCalls();
  const client: ClientState = { serving, judging, dependent, held: 0, sampling: 0 };
  const inFlight = new Set<Promise<JsonObject>>();
  const counted: Handler['counted'] = async (answer) => {
    if (inFlight.size >= mostInFlight)
      throw new Busy(`more than ${mostInFlight} requests wait for their answers`);
    const answered = answer();
    inFlight.add(answered);
    return answered.finally(() => inFlight.delete(answered));
  };
  return {
    handle: (method, { _meta, ...params }, asking) =>
      counted(() => answerRequest(method, { params, asking }, client)),
    counted,
    async pass({ method, params, server, signal }, { forms, sampling, ask }) {
      if (method === 'sampling/createMessage') {
        const asking = { signal, answer: asApproval(ask) };
        const send = (own: JsonObject) => ask({ method, params: own });
        return passSampling({ server, params, capability: sampling }, { client, asking }, send);
      }
      const shown = forms ? elicitationOf(params, server) : null;
      return shown === null ? tellCancelled(params, serving, server) : ask({ method, params: shown });
    },
    async end() {
      const tasks = serving.routes.servers.flatMap(({ tasks }) => [...tasks.values()]);
      for (const task of tasks) task.end('the client ended before its task');
      // They are aborted. An outcome that comes later would open the closed records again, for ever.
      await Promise.race([Promise.allSettled(inFlight), pause(5_000, undefined, { ref: false })]);
      await (await judge)?.close();
    },
  };
}

async function answerRequest(
  method: string,
  { params, asking }: { readonly params: JsonObject; readonly asking: Asking },
  client: ClientState,
): Promise<JsonObject> {
  const { routes } = client.serving;
  if (method === 'tools/list') return { tools: await shownTools(params, client, asking) };
  if (method === 'tools/call') return callTool(params, asking, client);
  if (isTask(method, client.serving))
    return withServerErrors(() => answerTask(method, params, { routes, asking }));
  const known = methods[method];
  if (known === undefined || !isPassed(method, client.serving))
    throw new NoSuchMethod(`the gateway does not pass \`${method}\` on`);
  if (isList(method)) return withServerErrors(() => shownList(method, params, { client, asking }));
  if (known.isForAll === true && routes.servers.length > 1) {
    const own = known.passedOf?.(params) ?? {};
    const able = routes.having(known.capability);
    const tell = (each: Served) => (signal: AbortSignal) => each.running.request(method, own, { signal });
    await Promise.allSettled(able.map((each) => inTime(each, asking.signal, tell(each))));
    return {};
  }
  const { served, params: routed } = await routes.of(method, params, asking.signal);
  const { running, subscribed } = served;
  // Servers of 2026 have another request for it, which is not made.
  if (subscriptions.test(method) && !takesSubscriptions(running.greeting.capabilities))
    throw new NoSuchMethod(`${running.server.key} has no subscriptions to single resources`);
  if (known.judged === null) {
    const own = known.passedOf?.(routed) ?? {};
    // Only judged data reach the server.
    if (method === 'resources/unsubscribe' && !subscribed.delete(own.uri)) return {};
    return withServerErrors(() => running.request(method, own, asking));
  }
  const whyEnded = await requireRunning(served, client);
  if (whyEnded !== null) throw new Error(whyEnded);
  const { key } = running.server;
  const about = entryOf(method, routed);
  const requireKept = () => {
    const why = about === null ? null : served.entries.refusal(about.list, about.own);
    if (why !== null) throw new BadParams(`BLOCKED: \`${about?.own}\` cannot be used: ${why}`);
  };
  requireKept();
  if (method === 'prompts/get') {
    // It may have changed since the list, or the client asked for none.
    await withServerErrors(() => entriesOf('prompts/list', served, asking.signal));
    requireKept();
  }
  const request = known.judged(routed, key);
  const pass = () => running.request(method, request.passed, asking);
  const result = await passIfPermitted({ ...request, what: `${method} of ${key}` }, client, asking, () =>
    method === 'resources/subscribe' ? subscribing(request.passed.uri, subscribed, pass) : pass(),
  );
  // These results have no form for a failure.
  if (result.isError === true) throw new Error(errorIn(result) ?? 'refused');
  routes.links.add(linksIn(result), served);
  return result;
}

const subscriptions = /^resources\/(?:un)?subscribe$/;

/** Whether a server with these capabilities takes subscriptions to single resources. */
export function takesSubscriptions({ resources }: JsonObject): boolean {
  return isJsonObject(resources) && resources.subscribe === true;
}

/** What a request is about: the list that has it, and the server's own name for it. */
function entryOf(method: string, { name, uri, ref = null }: JsonObject) {
  const of = (list: List, own: Json | undefined) => (typeof own === 'string' ? { list, own } : null);
  if (method === 'prompts/get') return of('prompts/list', name);
  if (method !== 'completion/complete') return of('resources/list', uri);
  if (!isJsonObject(ref)) return null;
  return ref.type === 'ref/prompt' ? of('prompts/list', ref.name) : of('resources/templates/list', ref.uri);
}

const taskMethods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel']);

function isTask(method: string, { routes }: Pick<Serving, 'routes'>): boolean {
  const isAble = routes.servers.some(({ running }) => takesTasks(running.greeting.capabilities));
  return isAble && taskMethods.has(method);
}

/** Whether requests of a method are supported. */
export function isPassed(method: string, { routes }: Pick<Serving, 'routes'>): boolean {
  if (method === 'tools/list' || method === 'tools/call') return true;
  const known = ownMember(methods, method);
  return (
    known !== undefined &&
    routes.servers.some(({ running }) => known.capability in running.greeting.capabilities)
  );
}

/**
 * Lets a server of the SDK answer with the handler. Returns the functions of the client that the servers can
 * use.
 */
export function serve(downstream: Server, handler: Handler): Downstream {
  const inFlight = new Map<RequestId, AbortSignal>();
  const questions = new Set<Promise<unknown>>();
  // The SDK would handle the log level by itself.
  downstream.removeRequestHandler('logging/setLevel');
  downstream.fallbackRequestHandler = async ({ method, params: given }, extra) => {
    const params = paramsOf(given);
    const { signal, requestId: about } = extra;
    const asking: Asking = {
      signal,
      ...progressOf(params, (known) =>
        extra.sendNotification({ method: 'notifications/progress', params: known }),
      ),
      answer: asApproval((question) => ask(downstream, question, { signal, about })),
    };
    inFlight.set(about, signal);
    try {
      return { ...(await handler.handle(method, params, asking)) };
    } finally {
      inFlight.delete(about);
    }
  };
  return {
    answer(question) {
      const { sampling = null } = downstream.getClientCapabilities() ?? {};
      const signal = withoutAll([...inFlight.values()], question.signal);
      const asked = { signal, about: [...inFlight.keys()].at(-1) ?? null };
      if (questions.size >= mostQuestions) return Promise.resolve(null);
      const forms = canElicit(downstream);
      const passed = handler.pass(
        { ...question, signal },
        { forms, sampling, ask: (own) => ask(downstream, own, asked) },
      );
      questions.add(passed);
      return passed.finally(() => questions.delete(passed));
    },
    notify: (notice) => void downstream.notification({ ...notice }).catch(() => undefined),
  };
}

/** Aborts with `own`, and once all of the others are aborted: the question was about one of these requests. */
function withoutAll(others: readonly AbortSignal[], own: AbortSignal): AbortSignal {
  const ending = new AbortController();
  const check = () => others.every(({ aborted }) => aborted) && ending.abort();
  for (const each of others) each.addEventListener('abort', check, { once: true });
  return AbortSignal.any([own, ending.signal]);
}

async function callTool(params: JsonObject, asking: Asking, client: ClientState): Promise<JsonObject> {
  const { name, arguments: given = {} } = params;
  const { routes } = client.serving;
  if (typeof name !== 'string' || !isJsonObject(given))
    throw new BadParams('a call has a `name`, and `arguments` that are an object');
  const routed = routes.tool(name);
  // A tool may have changed in a server that is started again.
  const ended = routed === null ? null : await requireRunning(routed.served, client);
  const why = routed === null ? 'no server offers it' : (ended ?? routes.problemOf(routed));
  if (routed === null || routed.tool === null || why !== null)
    return refusal(`BLOCKED: \`${printable(name)}\` cannot be called: ${why ?? ''}`);
  if (wantsOtherTask(routed, asking))
    throw new UnsupportedProtocolVersionError({ supported: ['2025-11-25'], requested: firstStateless });
  const { tool, served } = routed;
  const { running } = served;
  // The server gets the defaults that are judged. Arguments that do not fit the schema are refused later.
  const fitting = tool.schema.parse(given);
  const args = fitting.ok ? fitting.value : given;
  const task = taskWanted(params.task, served);
  const described = running.standing(tool.name);
  // Listed while the decision becomes durable, and again if that takes longer.
  const listed = asking.answered === undefined ? running.listAgain(asking.signal) : undefined;
  listed?.catch(() => undefined);
  return passIfPermitted(
    { tool: tool.shown, args, asks: true, what: `${tool.name} of ${running.server.key}` },
    client,
    asking,
    async ({ hasWaited, later }) => {
      const result = await running.pass(tool, args, {
        described,
        ...asking,
        ...(!hasWaited && listed !== undefined && { listed }),
        ...(task !== null && { task }),
      });
      routes.links.add(linksIn(result), served);
      const mayBeTask = task !== null || asking.takesTask === true;
      return taskMade(result, { served, routes, later, mayBeTask });
    },
  );
}
