import { type ExecuteContext, type Json, type JsonObject, orNull } from '@ambit/core';
import type { FetchArguments } from './plan.js';
import { harmlessHeaders } from './request-headers.js';
import { isSameOrigin, readTarget, type Target } from './target.js';

/** Null for other answers. */
export function redirectOf(target: Target, status: number, location: string | undefined): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  return orNull(() => new URL(location, target.url).href);
}

/** Follows a redirect of a reading request as a call of its own. Otherwise the redirect itself is the result. */
export async function follow(
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
    return stay(
      `nothing but GET and HEAD is sent again without being asked for: call again with this URL if that is right`,
    );
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
