import {
  defineTool,
  type ExecuteContext,
  type Json,
  type JsonObject,
  type NonEmpty,
  orNull,
  StartOver,
  type Tool,
} from '@ambit/core';
import * as z from 'zod';
import type { Place } from './connector.js';
import { exchange } from './exchange.js';
import { failureOf, HttpError } from './failure.js';
import { connectionName, type FetchArguments, type Learnt, learntFrom, learntOf, planOf } from './plan.js';
import { harmlessHeaders, headersSent } from './request-headers.js';
import { addressesOf, type Resolve } from './resolve.js';
import { resultOf } from './result.js';
import { isSameOrigin, readTarget, type Target } from './target.js';

const input = z.strictObject({
  url: z.string().min(1).max(8192).describe('an absolute URL, http or https, without a name and a password'),
  method: z
    .string()
    .regex(/^[A-Z][A-Z0-9-]{0,31}$/, 'a method is written in capitals: GET')
    .default('GET')
    .describe('GET, HEAD, POST, PUT, PATCH, DELETE, …'),
  headers: z.record(z.string(), z.string()).default({}).describe('headers of the request'),
  body: z
    .string()
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('the body, sent as UTF-8; GET and HEAD have none'),
});
type Input = z.output<typeof input>;

export interface FetchMeans {
  /** Bytes of a body, unpacked. */
  readonly max_bytes: number;
  /** Seconds for a whole request. */
  readonly timeout: number;
  readonly resolve: Resolve;
  readonly proxy: Target | null;
}

export function fetchTool(means: FetchMeans): Tool<Input> {
  return defineTool({
    name: 'fetch',
    description:
      'Makes an HTTP request and returns status, headers and body. A redirect is followed as a separate call. Nothing is remembered between requests.',
    input,
    summary: ({ method, url }) => `${method} ${readTarget(url).target?.url ?? url}`,
    describe: (args, { learnt }) => {
      const { capabilities, cannot } = planOf(args, means.proxy, learntFrom(learnt));
      return cannot === null ? { capabilities } : { capabilities, cannot };
    },
    execute: async (args, context) => {
      const { target, cannot } = planOf(args, means.proxy, {});
      if (target === null) throw new HttpError(cannot ?? 'this cannot be fetched');
      const { result, to } = await fetched(target, args, { context, means });
      return to === null ? result : follow({ target, request: args, result, to }, context);
    },
  });
}

/** Starts over if a name has an address that was not judged. */
async function fetched(
  target: Target,
  request: FetchArguments,
  { context, means }: { readonly context: ExecuteContext; readonly means: FetchMeans },
) {
  const { max_bytes, proxy } = means;
  const timeout = means.timeout * 1000;
  try {
    return await withinTime(timeout, context.signal, async (signal) => {
      const places = await resolved(proxy === null ? [target] : [target, proxy], context, means.resolve);
      signal.throwIfAborted();
      requireJudged(places, context);
      const [place, through = null] = places;
      const { method, headers, body } = request;
      const asked = { method, headers: headersSent(headers), body, place, proxy: through, timeout, signal };
      return exchange(asked, async (answer) => ({
        result: await resultOf(target, answer, max_bytes),
        to: redirectOf(target, answer.status, answer.headers.get('location')),
      }));
    });
  } catch (error) {
    throw error instanceof StartOver ? error : failureOf(error, target.host);
  }
}

/** Once for each call. */
function resolved(
  targets: NonEmpty<Target>,
  { learnt }: ExecuteContext,
  resolve: Resolve,
): Promise<NonEmpty<Place>> {
  const known = learntFrom(learnt);
  const places = targets.map(async (target) => ({
    target,
    addresses: learntOf(known, target.host) ?? (await addressesOf(target.host, resolve)),
  }));
  return Promise.all(places) as Promise<readonly Place[]> as Promise<NonEmpty<Place>>;
}

function requireJudged(places: readonly Place[], { described }: ExecuteContext): void {
  const isJudged = places.every(({ target: { host, port }, addresses }) => {
    const names = described
      .filter((each) => each.host === host && each.port === port)
      .map(({ name }) => name);
    return addresses.every((address) => names.includes(connectionName(address)));
  });
  if (isJudged) return;
  const found: Learnt = Object.fromEntries(places.map(({ target, addresses }) => [target.host, addresses]));
  throw new StartOver(found);
}

/** Settles within the time, even if the work continues. */
async function withinTime<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw cancelled();
  const end = new AbortController();
  let giveUp: (why: HttpError) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    giveUp = (why) => {
      reject(why);
      end.abort(why);
    };
  });
  const cancel = () => giveUp(cancelled());
  const late = () => giveUp(new HttpError(`it took longer than ${milliseconds / 1000} seconds`));
  const timer = setTimeout(late, milliseconds);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function cancelled(): HttpError {
  return new HttpError('it was cancelled');
}

/** Null for other answers. */
function redirectOf(target: Target, status: number, location: string | undefined): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  return orNull(() => new URL(location, target.url).href);
}

/** Follows a redirect of a reading request as a call of its own. Otherwise the redirect itself is the result. */
async function follow(
  of: {
    readonly target: Target;
    readonly request: FetchArguments;
    readonly result: JsonObject;
    readonly to: string;
  },
  context: Pick<ExecuteContext, 'call'>,
): Promise<Json> {
  const { target, request, result, to } = of;
  const { method, headers } = request;
  const stay = (why: string): Json => ({ ...result, redirect: { to, why } });
  if (method !== 'GET' && method !== 'HEAD')
    return stay('a redirect is followed only for GET and HEAD: call again with this URL if that is right');
  const next = readTarget(to).target;
  const isSame = next !== null && isSameOrigin(target, next);
  const outcome = await context.call('http.fetch', {
    url: to,
    method,
    headers: isSame ? headers : harmlessHeaders(headers),
  });
  if (outcome.status === 'completed') return outcome.result;
  return stay(outcome.status === 'refused' ? outcome.refusal.reason : outcome.error);
}
