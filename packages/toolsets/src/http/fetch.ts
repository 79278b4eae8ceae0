import { defineTool, type ExecuteContext, type Json, StartOver, type Tool } from '@ambit/core';
import * as z from 'zod';
import { exchange } from './exchange.js';
import { failureOf, HttpError } from './failure.js';
import { connectionName, type FetchArguments, learntAddresses, planOf } from './plan.js';
import { follow, redirectOf } from './redirect.js';
import { headersSent } from './request-headers.js';
import { addressesOf, type Resolve } from './resolve.js';
import { resultOf } from './result.js';
import { readTarget, type Target } from './target.js';
import { withinTime } from './within-time.js';

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

export interface FetchLimits {
  /** The most bytes of a body, unpacked. */
  readonly max_bytes: number;
  /** Seconds for a request, from resolving the name to the last byte. */
  readonly timeout: number;
}

export function fetchTool(limits: FetchLimits, resolve: Resolve): Tool<Input> {
  return defineTool({
    name: 'fetch',
    description:
      'Makes an HTTP request and gives status, headers and body. A redirect is followed as a call of its own. Nothing is remembered between requests.',
    input,
    summary: ({ method, url }) => `${method} ${readTarget(url).target?.url ?? url}`,
    describe: (args, { learnt }) => {
      const { capabilities, cannot } = planOf(args, learntAddresses(learnt));
      return cannot === null ? { capabilities } : { capabilities, cannot };
    },
    execute: async (args, context) => {
      const { target, cannot } = planOf(args, null);
      if (target === null) throw new HttpError(cannot ?? 'this cannot be fetched');
      const { result, to } = await fetched(target, args, { context, limits, resolve });
      return to === null ? result : follow({ target, request: args, result, to }, context);
    },
  });
}

interface Means {
  readonly context: ExecuteContext;
  readonly limits: FetchLimits;
  readonly resolve: Resolve;
}

/** One request and its answer. Starts over where the name has an address that was not judged. */
async function fetched(target: Target, request: FetchArguments, { context, limits, resolve }: Means) {
  const timeout = limits.timeout * 1000;
  try {
    return await withinTime(timeout, context.signal, async (signal) => {
      // Resolved once: what was judged is what is used, whatever the name leads to by now.
      const addresses = learntAddresses(context.learnt) ?? (await addressesOf(target.host, resolve));
      signal.throwIfAborted();
      requireJudged(target, addresses, context);
      const { method, headers, body } = request;
      const asked = { method, headers: headersSent(headers), body, addresses, timeout, signal };
      return exchange(target, asked, async (answer) => ({
        result: await resultOf(target, answer, limits.max_bytes),
        to: redirectOf(target, answer.status, answer.headers.get('location')),
      }));
    });
  } catch (error) {
    throw error instanceof StartOver ? error : failureOf(error, target.host);
  }
}

function requireJudged(
  { host, port }: Target,
  addresses: readonly string[],
  { described, learnt }: ExecuteContext,
): void {
  const judged = described.filter((each) => each.host === host && each.port === port).map(({ name }) => name);
  if (addresses.every((address) => judged.includes(connectionName(address)))) return;
  if (learnt !== undefined) throw new HttpError(`${host}: an address of it was not judged`);
  throw new StartOver(addresses satisfies Json);
}
