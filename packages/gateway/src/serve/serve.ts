import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject, messageOf, StartOver } from '@ambit/core';
import { ServerError } from '@ambit/toolsets';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { approvalForm, ask, canElicit, decisionIn } from './ask.js';
import { BadParams, methods } from './methods.js';
import { growing, type Notice } from './notices.js';
import type { Routes } from './routes.js';
import { elicitationOf, errorIn, questionFor, refusal } from './texts.js';

type Judge = Awaited<ReturnType<typeof import('@ambit/agents/judge').openJudge>>;

export interface Serving {
  readonly routes: Routes;
  /** Opens the judge of all calls. `asks`: whether the client's user can be asked. */
  readonly open: (asks: boolean) => Promise<Judge>;
}

/** The user's answer to a question of ours, or the result that asks for it. */
export type Answer = 'approve' | 'deny' | { readonly ask: JsonObject };

/** One request of a client, whatever it came by. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly progress?: (params: JsonObject) => void;
  /** Puts a question of ours about a call, which has this id, to the client's user. */
  readonly answer: (message: string, id: string) => Promise<Answer>;
  /** The answer that came with the request, to the question about the call with this id. */
  readonly answered?: { readonly id: string; readonly decision: 'approve' | 'deny' };
}

/** Answers requests until it is ended. */
export interface Handler {
  handle(method: string, params: JsonObject, asking: Asking): Promise<JsonObject>;
  end(): Promise<void>;
}

/** What a server reaches of its client. */
export interface Downstream {
  /** Puts a question of a server to the client's user; null where there is nobody to ask. */
  elicit(params: JsonObject, from: { server: string; signal: AbortSignal }): Promise<JsonObject | null>;
  notify(notice: Notice): void;
}

/** A request that is not in the table, or that the server does not know. */
class NoSuchMethod extends Error {
  readonly code = -32601;
}

class Busy extends Error {
  readonly code = -32000;
}

/** The most requests of a client that wait for an answer. */
const mostInFlight = 1_000;

/** Answers every request of a client. One that is not in a table is refused. */
export function handlerOf(serving: Serving, asks: () => boolean): Handler {
  let judge: Promise<Judge> | null = null;
  const judging = () => {
    judge ??= serving.open(asks());
    return judge;
  };
  const around = { serving, judging };
  let inFlight = 0;
  return {
    async handle(method, { _meta, ...params }, asking) {
      if (inFlight >= mostInFlight)
        throw new Busy(`more than ${mostInFlight} requests wait for their answers`);
      inFlight += 1;
      try {
        return await handled(method, { params, asking }, around);
      } finally {
        inFlight -= 1;
      }
    },
    end: async () => (await judge)?.close(),
  };
}

async function handled(
  method: string,
  { params, asking }: { readonly params: JsonObject; readonly asking: Asking },
  around: Around,
): Promise<JsonObject> {
  const { routes } = around.serving;
  if (method === 'tools/list') return { tools: routes.tools() };
  if (method === 'tools/call') return callTool(params, asking, around);
  const known = methods[method];
  if (known === undefined || !isPassed(method, around.serving))
    throw new NoSuchMethod(`the gateway does not pass \`${method}\` on`);
  if (known.isForAll === true && routes.servers.length > 1) {
    if (method !== 'logging/setLevel') return routes.list(method, asking.signal);
    const own = known.passed?.(params) ?? {};
    const able = routes.having(known.capability);
    await Promise.allSettled(able.map(({ running }) => running.request(method, own, asking)));
    return {};
  }
  const { served, params: routed } = await routes.of(method, params, asking.signal);
  const { running, subscribed } = served;
  if (known.judged === null) {
    const own = known.passed?.(routed) ?? {};
    if (method === 'resources/unsubscribe') subscribed.delete(own.uri);
    return passed(() => running.request(method, own, asking));
  }
  const { key } = running.server;
  const request = known.judged(routed, key);
  const { tool, args, asks } = request;
  const result = await judged({ tool, args, asks, what: `${method} of ${key}` }, around, asking, () => {
    if (method === 'resources/subscribe') subscribed.add(request.passed.uri);
    return running.request(method, request.passed, asking);
  });
  // These results have no form for a failure.
  if (result.isError === true) throw new Error(errorIn(result) ?? 'refused');
  return result;
}

/** Whether requests of a method are answered at all. */
export function isPassed(method: string, { routes }: Pick<Serving, 'routes'>): boolean {
  if (method === 'tools/list' || method === 'tools/call') return true;
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
  return (
    known !== undefined &&
    routes.servers.some(({ running }) => known.capability in running.greeting.capabilities)
  );
}

/** What the server refused is its own error, under its own code and in its own words. */
async function passed(pass: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await pass();
  } catch (error) {
    if (error instanceof ServerError) throw Object.assign(new Error(error.said), { code: error.code });
    throw error;
  }
}

/** Lets a server of the SDK answer by the handler. What it returns is what the server behind us reaches of the client. */
export function serve(downstream: Server, handler: Handler): Downstream {
  const inFlight = new Set<RequestId>();
  // The SDK would keep the level for itself.
  downstream.removeRequestHandler('logging/setLevel');
  downstream.fallbackRequestHandler = async ({ method, params: given }, extra) => {
    const params: unknown = given ?? {};
    if (!isJsonObject(params)) throw new BadParams('the parameters are no plain JSON object');
    const { signal, requestId: about } = extra;
    const asking: Asking = {
      signal,
      ...progressOf(params, (known) =>
        extra.sendNotification({ method: 'notifications/progress', params: known }),
      ),
      answer: async (message) => decisionIn(await ask(downstream, approvalForm(message), { signal, about })),
    };
    inFlight.add(about);
    try {
      return { ...(await handler.handle(method, params, asking)) };
    } finally {
      inFlight.delete(about);
    }
  };
  return {
    elicit: async (params, { server, signal }) => {
      const shown = elicitationOf(params, server);
      if (shown === null || !canElicit(downstream)) return null;
      return ask(downstream, shown, { signal, about: [...inFlight].at(-1) ?? null });
    },
    notify: (notice) => void downstream.notification({ ...notice }).catch(() => undefined),
  };
}

interface Progress {
  readonly progress: number;
  readonly progressToken: string | number;
  readonly [more: string]: unknown;
}

/** Passes progress on to the request that asked for it, under its own token. */
export function progressOf(
  params: JsonObject,
  notify: (progress: Progress) => Promise<void>,
): Pick<Asking, 'progress'> {
  const { _meta: meta = null } = params;
  const token = isJsonObject(meta) ? meta.progressToken : undefined;
  if (typeof token !== 'string' && typeof token !== 'number') return {};
  return {
    progress: growing(({ progress, ...more }) => {
      notify({ ...more, progress: Number(progress), progressToken: token }).catch(() => undefined);
    }),
  };
}

interface Around {
  readonly serving: Serving;
  readonly judging: () => Promise<Judge>;
}

async function callTool(params: JsonObject, asking: Asking, around: Around): Promise<JsonObject> {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || !isJsonObject(args))
    throw new BadParams('a call has a `name`, and `arguments` that are an object');
  const routed = around.serving.routes.tool(name);
  const why = routed === null ? 'no server offers it' : routed.served.refused.get(routed.name);
  if (routed === null || routed.tool === null || why !== undefined)
    return refusal(`BLOCKED: \`${name}\` cannot be called: ${why ?? 'its server does not offer it'}`);
  const { tool } = routed;
  const { running } = routed.served;
  const described = running.standing(tool.name);
  return judged(
    { tool: tool.shown, args, asks: true, what: `${tool.name} of ${running.server.key}` },
    around,
    asking,
    () => running.pass(tool, args, { described, ...asking }),
  );
}

interface Judged {
  readonly tool: string;
  readonly args: JsonObject;
  readonly what: string;
  readonly asks: boolean;
}

/** Passes a call on if it is permitted: the decision is recorded before, and the outcome afterwards. */
async function judged(
  { tool, args, what, asks }: Judged,
  { judging }: Around,
  { signal, answer, answered }: Asking,
  pass: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const judge = await judging();
  const id = answered?.id ?? `gw-${randomBytes(12).toString('hex')}`;
  const call = { id, tool, args };
  const first = answered === undefined ? await judge.judge(call) : null;
  const given =
    first?.decision === 'needs_approval'
      ? !asks
        ? 'deny'
        : await answer(questionFor({ what, args }, first.reason), id)
      : (answered?.decision ?? null);
  if (given !== null && typeof given === 'object') return given.ask;
  if (given === 'deny') {
    await judge.deny(call);
    return refusal(
      'REFUSED: the user did not approve this call. Do not try it again unless they ask for it.',
    );
  }
  const verdict = first === null || given === 'approve' ? await judge.approve(call) : first;
  if (verdict.decision !== 'pre_approved') return refusal(`BLOCKED by policy: ${verdict.reason}`);
  let result: JsonObject;
  try {
    signal.throwIfAborted();
    result = await passed(pass);
  } catch (error) {
    const why =
      error instanceof StartOver
        ? 'the server changed the definition of this tool in mid-session; a person has to accept it first'
        : messageOf(error);
    await judge.ended(call, why);
    if (error instanceof Error && 'code' in error) throw error;
    return refusal(`The call failed: ${why}`);
  }
  // The next call is judged after this is recorded, and refused where it cannot be.
  void judge.ended(call, errorIn(result));
  return result;
}
