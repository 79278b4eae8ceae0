import { randomBytes } from 'node:crypto';
import { isJson, isJsonObject, type JsonObject, messageOf, StartOver } from '@ambit/core';
import type { OfferedTool, RunningServer } from '@ambit/toolsets';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { otherNames } from '../upstream/other-tools.js';
import { approvalForm, ask, canElicit, decisionIn } from './ask.js';
import { elicitationOf, errorIn, questionFor, refusal } from './texts.js';

type Judge = Awaited<ReturnType<typeof import('@ambit/agents/judge').openJudge>>;

export interface Serving {
  readonly running: RunningServer;
  /** Why a tool that the server lists is not offered, by its name. */
  readonly refused: ReadonlyMap<string, string>;
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
  /** Puts a question of the server to the client's user; null where there is nobody to ask. */
  elicit(params: JsonObject, signal: AbortSignal): Promise<JsonObject | null>;
  /** Passes a notification on that a list changed. */
  changed(method: string): void;
}

/** Methods of lists that are passed on, with the capability of the server that they belong to. */
const lists: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'prompts/list': 'prompts',
};

class NoSuchMethod extends Error {
  readonly code = -32601;
}

/** Parameters that no request may have. */
export class BadParams extends Error {
  readonly code = -32602;
}

/** Answers every request of a client. One that is not in a table is refused. */
export function handlerOf(serving: Serving, asks: () => boolean): Handler {
  const { running } = serving;
  let judge: Promise<Judge> | null = null;
  const judging = () => {
    judge ??= serving.open(asks());
    return judge;
  };
  const around = { serving, judging };
  return {
    async handle(method, params, asking) {
      const { _meta, ...rest } = params;
      const capability = Object.hasOwn(lists, method) ? lists[method] : undefined;
      if (capability !== undefined && capability in running.greeting.capabilities)
        return running.request(method, rest, asking);
      switch (method) {
        case 'tools/list':
          return { tools: listed(serving).map((definition) => ({ ...definition })) };
        case 'tools/call':
          return callTool(rest, asking, around);
        case 'resources/read':
        case 'prompts/get':
          return other(method, rest, asking, around);
        default:
          throw new NoSuchMethod(`the gateway does not pass \`${method}\` on`);
      }
    },
    end: async () => (await judge)?.close(),
  };
}

/** Lets a server of the SDK answer by the handler. What it returns is what the server behind us reaches of the client. */
export function serve(downstream: Server, handler: Handler, name: string): Downstream {
  const inFlight = new Set<RequestId>();
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
    elicit: async (params, signal) => {
      const shown = elicitationOf(params, name);
      if (shown === null || !canElicit(downstream)) return null;
      return ask(downstream, shown, { signal, about: [...inFlight].at(-1) ?? null });
    },
    changed: (method) => void downstream.notification({ method }).catch(() => undefined),
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
    progress: ({ progress: done = 0, total, message }) => {
      const known = { progress: Number(done), progressToken: token };
      const more = {
        ...(typeof total === 'number' && { total }),
        ...(typeof message === 'string' && { message: message.slice(0, 1000) }),
      };
      notify({ ...known, ...more }).catch(() => undefined);
    },
  };
}

interface Around {
  readonly serving: Serving;
  readonly judging: () => Promise<Judge>;
}

/** The definitions that may be offered, as the server wrote them. */
function listed({ running, refused }: Serving): readonly JsonObject[] {
  const known = new Set(running.tools.map(({ name }) => name));
  return running.definitions.filter((definition): definition is JsonObject => {
    const name = isJson(definition) && isJsonObject(definition) ? definition.name : null;
    return typeof name === 'string' && known.has(name) && !refused.has(name);
  });
}

async function callTool(params: JsonObject, asking: Asking, around: Around): Promise<JsonObject> {
  const { running, refused } = around.serving;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || !isJsonObject(args))
    throw new BadParams('a call has a `name`, and `arguments` that are an object');
  const tool = running.tools.find((each) => each.name === name);
  const why = refused.get(name) ?? (tool === undefined ? 'the server does not offer it' : null);
  if (tool === undefined || why !== null)
    return refusal(`BLOCKED: \`${name}\` cannot be called: ${why ?? 'unknown'}`);
  const described = running.standing(name);
  return judged({ tool: tool.shown, args, what: `${name} of ${running.server.key}` }, around, asking, () =>
    running.pass(tool satisfies OfferedTool, args, { described, ...asking }),
  );
}

async function other(
  method: 'resources/read' | 'prompts/get',
  params: JsonObject,
  asking: Asking,
  around: Around,
): Promise<JsonObject> {
  const { key } = around.serving.running.server;
  const isResource = method === 'resources/read';
  const { uri, name, arguments: given = {} } = params;
  const named = isResource ? uri : name;
  if (typeof named !== 'string') throw new BadParams(`\`${method}\` names what it wants`);
  // What is judged is what the server gets, and nothing beside it.
  const passed: JsonObject = isResource ? { uri: judgedUri(named) } : { name: named, arguments: given };
  const args: JsonObject = isResource
    ? { server: key, ...passed }
    : { server: key, prompt: named, arguments: given };
  const tool = isResource ? otherNames.resource : otherNames.prompt;
  const result = await judged({ tool, args, what: `${method} of ${key}` }, around, asking, () =>
    around.serving.running.request(method, passed, asking),
  );
  // These results have no form for a failure.
  if (result.isError === true) throw new Error(errorIn(result) ?? 'refused');
  return result;
}

/**
 * The one form of a URI that names a file or a site: servers read other forms each in their own way. Throws where such a URI has none.
 */
function judgedUri(uri: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  const isKnown = url !== null && /^(?:file|https?):$/.test(url.protocol);
  // A server that only cuts `file://` off would take these for parts of a path.
  const isPlain = url?.protocol !== 'file:' || (url.search === '' && url.hash === '' && !/[?#]/.test(uri));
  if (isKnown ? !isPlain : /^[\s\p{C}]*(?:file|https?)[\s\p{C}]*:/iu.test(uri))
    throw new BadParams(`BLOCKED: the URI has more than one meaning; write it without \`?\` and \`#\``);
  return isKnown ? url.href : uri;
}

interface Judged {
  readonly tool: string;
  readonly args: JsonObject;
  readonly what: string;
}

/** Passes a call on if it is permitted: the decision is recorded before, and the outcome afterwards. */
async function judged(
  { tool, args, what }: Judged,
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
      ? await answer(questionFor({ what, args }, first.reason), id)
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
    result = await pass();
  } catch (error) {
    const why =
      error instanceof StartOver
        ? 'the server changed the definition of this tool in mid-session; a person has to accept it first'
        : messageOf(error);
    await judge.ended(call, why);
    return refusal(`The call failed: ${why}`);
  }
  // The next call is judged after this is recorded, and refused where it cannot be.
  void judge.ended(call, errorIn(result));
  return result;
}
