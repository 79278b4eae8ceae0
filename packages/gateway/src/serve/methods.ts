import { isJsonObject, isObject, type Json, type JsonObject, jsonCopy } from '@ambit/core';
import { innerUri, otherNames } from '../upstream/other-tools.js';

/** The parameters of a request violate the protocol. */
export class BadParams extends Error {
  readonly code = -32602;
}

/** The parameters of a request, copied once: each later copy is free. */
export function paramsOf(given: unknown): JsonObject {
  const params = jsonCopy(given ?? {});
  if (!isObject(params)) throw new BadParams('the parameters are no plain JSON object');
  return params;
}

/** For a list that the gateway gives as one page. */
export function requireFirstPage({ cursor }: JsonObject): void {
  if (cursor !== undefined) throw new BadParams('the cursor is not one of ours');
}

/** A request that is not a tool call: how it is judged, and the part that the server receives. */
export interface OtherRequest {
  readonly tool: string;
  readonly args: JsonObject;
  readonly passed: JsonObject;
  /** Whether a user is asked. A completion is made at each key press, so it is refused instead. */
  readonly asks: boolean;
}

interface Method {
  /** The capability that a server needs for this request. */
  readonly capability: string;
  readonly judged: ((params: JsonObject, server: string) => OtherRequest) | null;
  /** Whether each of several servers receives it. */
  readonly isForAll?: true;
  /** The part that is passed on of a request that is not judged. */
  readonly passedOf?: (params: JsonObject) => JsonObject;
}

const list = (capability: string): Method => ({ capability, judged: null });

/** All requests that are passed on, except tool calls. */
export const methods: Readonly<Record<string, Method>> = {
  'resources/list': list('resources'),
  'resources/templates/list': list('resources'),
  'prompts/list': list('prompts'),
  'logging/setLevel': {
    capability: 'logging',
    judged: null,
    isForAll: true,
    passedOf: ({ level }) => ({ level: asText(level, 'level') }),
  },
  'resources/read': { capability: 'resources', judged: resource },
  'resources/subscribe': { capability: 'resources', judged: resource },
  // It reveals no more than the subscription did.
  'resources/unsubscribe': {
    capability: 'resources',
    judged: null,
    passedOf: ({ uri }) => ({ uri: judgedUri(asText(uri, 'uri')) }),
  },
  'prompts/get': { capability: 'prompts', judged: prompt },
  'completion/complete': { capability: 'completions', judged: completion },
};

function resource({ uri }: JsonObject, server: string): OtherRequest {
  const passed = { uri: judgedUri(asText(uri, 'uri')) };
  return { tool: otherNames.resource, args: { server, ...passed }, passed, asks: true };
}

function prompt({ name, arguments: all = {} }: JsonObject, server: string): OtherRequest {
  const [named, given] = [asText(name, 'name'), argumentsOf(all, 'arguments')];
  const args = { server, prompt: named, arguments: given };
  return { tool: otherNames.prompt, args, passed: { name: named, arguments: given }, asks: true };
}

/** A completion reveals names from its prompt or resource, so it is judged like that prompt or resource. */
function completion({ ref = null, argument = null, context = {} }: JsonObject, server: string): OtherRequest {
  if (!isJsonObject(ref) || !isJsonObject(argument) || !isJsonObject(context))
    throw new BadParams('a completion has a `ref` and an `argument`');
  const before = argumentsOf(context.arguments ?? {}, 'context.arguments');
  const [name, value] = [asText(argument.name, 'argument.name'), asText(argument.value, 'argument.value')];
  const given = argumentsOf({ ...before, [name]: value }, 'argument.name');
  const passedWith = (own: JsonObject) => ({
    ref: own,
    argument: { name, value },
    ...(Object.keys(before).length > 0 && { context: { arguments: before } }),
  });
  if (ref.type === 'ref/prompt') {
    const name = asText(ref.name, 'ref.name');
    const judged = prompt({ name, arguments: given }, server);
    return { ...judged, passed: passedWith({ type: ref.type, name }), asks: false };
  }
  if (ref.type !== 'ref/resource') throw new BadParams('`ref` is a prompt or a resource');
  const uri = asText(ref.uri, 'ref.uri');
  const args = { server, template: uri, arguments: given };
  return { tool: otherNames.resource, args, passed: passedWith({ type: ref.type, uri }), asks: false };
}

/** No schema sees this name, so that its value would be neither judged nor recorded. */
function argumentsOf(value: Json, name: string): JsonObject {
  if (isJsonObject(value) && !Object.hasOwn(value, '__proto__')) return value;
  throw new BadParams(`\`${name}\` is not an object of arguments, or it names \`__proto__\``);
}

function asText(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') throw new BadParams(`\`${name}\` is a text`);
  return value;
}

/**
 * The one accepted form of a URI that names a file or a site, because servers read other forms differently.
 * Throws if such a URI has no such form.
 */
export function judgedUri(uri: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  const isKnown = url !== null && /^(?:file|https?):$/.test(url.protocol);
  // A server that only cuts `file://` off would take these for parts of a path.
  const isPlain = url?.protocol !== 'file:' || (url.search === '' && url.hash === '' && !/[?#]/.test(uri));
  const inner = isKnown ? null : innerUri(uri);
  if (isKnown ? !isPlain : url === null && inner !== null)
    throw new BadParams(`BLOCKED: the URI has more than one meaning; write it without \`?\` and \`#\``);
  if (inner !== null) judgedUri(inner);
  return isKnown ? url.href : uri;
}
