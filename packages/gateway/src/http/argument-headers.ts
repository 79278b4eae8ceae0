import { type JsonObject, objectOf } from '@ambit/core';
import { argumentHeaders } from '@ambit/toolsets';
import type { Upstream } from '../servers/open-upstream.js';
import { decodedHeader, headerRefusal } from './edge.js';

/** Requires that the arguments in headers are those of the body, and all of them where the revision has such headers. */
export function requireSameArguments(
  headers: Headers,
  message: JsonObject,
  { upstream, isComplete }: { readonly upstream: Upstream; readonly isComplete: boolean },
): void {
  const expected = expectedHeaders(upstream, message);
  const known = new Map(
    Object.entries(expected).map(([name, value]) => [name.toLowerCase(), decodedHeader(value)]),
  );
  const sent = new Map([...headers].filter(([name]) => name.startsWith('mcp-param-')));
  for (const [name, value] of sent)
    if (known.get(name) !== decodedHeader(value)) throw headerRefusal(message);
  for (const name of known.keys()) if (isComplete && !sent.has(name)) throw headerRefusal(message);
}

/** The headers that the arguments of a call make, by the schema of its tool. */
function expectedHeaders(
  { routes }: Upstream,
  { method, params }: JsonObject,
): Readonly<Record<string, string>> {
  const { name = null, arguments: args = null } = objectOf(params);
  const called = method === 'tools/call' && typeof name === 'string' ? name : '';
  const tool = routes.tool(called)?.tool ?? null;
  return tool === null ? {} : argumentHeaders(tool.input, args);
}
